"""The version of Rulewright, and those of other packages."""

__version__ = "0.2.0"


def installed_version(package: str) -> str:
    """The version of an installed package; empty if there is none."""
    from importlib.metadata import PackageNotFoundError, version  # takes ten milliseconds

    try:
        return version(package)
    except PackageNotFoundError:
        return ""
