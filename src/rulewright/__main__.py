"""`python -m rulewright`"""

from .cli.main import main

main()
