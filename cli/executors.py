"""What a command needs beyond the ordinary installation: optional packages, and the executor that its options choose."""

from __future__ import annotations

from importlib.util import find_spec

from rulewright.base.diagnostics import RulesError, usage_error
from rulewright.workers.executor import Executor
from rulewright.workers.processes import Processes

# Optional packages ----------------------------------------------------------------------------------------------------
# What a command needs beyond the ordinary installation, and how to install it.


def require_extra(what: str, extra: str, *modules: str) -> None:
    """Raise `RulesError` if a module of an extra is missing, for `what` needs them."""
    if missing := [name for name in modules if find_spec(name) is None]:
        raise missing_extra(what, extra, *missing)


def missing_extra(what: str, extra: str, *modules: str, otherwise: str = "") -> RulesError:
    """The error that modules of an extra are missing; `otherwise` adds to the help what one can do besides installing them."""
    return usage_error(f"{what} needs {', '.join(modules)}", f"run `{install_command(extra)}`{otherwise}")


def install_command(extra: str) -> str:
    """The command that installs the packages of an extra. It names these, so that it works for a clone as for a release."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        declared = requires("rulewright") or []
    except PackageNotFoundError:  # started from a folder that is not installed
        declared = []
    marker = f'extra == "{extra}"'
    packages = [needed.partition(";")[0].strip() for needed in declared if needed.endswith(marker)]
    return " ".join(["pip install", *(f'"{package}"' for package in packages or [f"rulewright[{extra}]"])])


# Chooses the executor from the options of a command -------------------------------------------------------------------


def executor_of(workers: int, cluster: str) -> Executor:
    """The workers of a cluster or, without an address, `workers` local processes. Raises `RulesError`."""
    return cluster_at(cluster) if cluster else Processes(workers)


def cluster_at(address: str) -> Executor:
    """The workers of a cluster. Raises `RulesError` if it cannot be reached or used."""
    from rulewright.workers.cluster import Cluster, ClusterUnusable

    try:
        return Cluster.at(address)
    except ImportError:
        raise missing_extra("a cluster", "cluster", "distributed", otherwise=" here and on the cluster") from None
    except ClusterUnusable as error:
        raise usage_error(str(error), error.help) from None
