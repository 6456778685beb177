"""What can be said of the deployment's files without a cluster: ``check.py ROOT``. Run by ``./dev deploy``.

The chart is linted and rendered with several values by Helm's own code, what comes of
it held against Kubernetes' schemas and our own policies, the compose file against the
compose schema, alerts tried by promtool where it is on PATH.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import helm_python as helm
import kubernetes_validate
import yaml

KUBERNETES = "1.31"
INFORMATION = 1  # of helm lint: warnings and errors are more
VALUES: dict[str, dict[str, Any]] = {
    "as it comes": {},
    "hpa, ingress, monitoring, tls": {
        "worker": {"autoscaling": {"kind": "hpa"}, "runtimeClassName": "gvisor"},
        "ingress": {"enabled": True, "className": "nginx"},
        "monitoring": {"podMonitor": True, "rules": True},
        "engine": {"replicas": 3, "tls": {"secretName": "engine-tls"}},
        "settings": {"MAMENOKI_LEASE_MS": "20000"},
        "networkPolicy": {"webhooks": True},
        "imagePullSecrets": [{"name": "pull"}],
    },
    "no autoscaling, no policies": {
        "worker": {"autoscaling": {"kind": "none"}},
        "networkPolicy": {"enabled": False},
    },
}
REFUSED: dict[str, dict[str, Any]] = {
    "a setting that is none": {"engine": {"replica": 2}},
    "a kind of scaling that is none": {"worker": {"autoscaling": {"kind": "magic"}}},
    "a secret among the settings": {"settings": {"DATABASE_URL": "postgresql://u:p@h/d"}},
    "too little time to drain": {"engine": {"terminationGracePeriodSeconds": 5}},
}
PODS = {"Deployment", "StatefulSet", "Job"}
OTHERS = {"keda.sh", "monitoring.coreos.com"}  # their schemas are not Kubernetes' own


class Bad(Exception):
    """Something that a cluster would refuse, or that our policies forbid."""


def main(root: Path) -> None:
    deploy = root / "deploy"
    for name, values in VALUES.items():
        documents = list(_rendered(deploy / "chart", values))
        for document in documents:
            _check_schema(document)
        _check_policies(documents)
        print(f"chart, {name}: {len(documents)} objects")
    for name, values in REFUSED.items():
        _check_refused(deploy / "chart", name, values)
    findings = [one for one in helm.lint(str(deploy / "chart"))["messages"] if one["severity"] > INFORMATION]
    if findings:
        raise Bad(f"helm lint: {findings}")
    _run("check-jsonschema", "--builtin-schema", "vendor.compose-spec", str(deploy / "compose.yaml"))
    _check_compose(yaml.safe_load((deploy / "compose.yaml").read_text()))
    # DL3008 wants versions of Debian packages pinned, which Debian takes away at its next point release.
    _run("hadolint", "--ignore", "DL3008", str(deploy / "Dockerfile"))
    print("image: its Dockerfile is linted; it is built where there is a container engine")
    _check_rules(deploy)


def _rendered(chart: Path, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    with helm.Chart.load(str(chart)) as loaded:
        loaded.validate_schema(values)
        for name, text in loaded.render(values, name="it", namespace="games").items():
            if name.endswith(".yaml"):
                yield from (one for one in yaml.safe_load_all(text) if one)


def _check_schema(document: dict[str, Any]) -> None:
    if document["apiVersion"].split("/")[0] not in OTHERS:
        try:
            kubernetes_validate.validate(document, KUBERNETES, strict=True)
        except kubernetes_validate.ValidationError as error:
            raise Bad(f"{_name(document)}: {error.message} at {list(error.path)}") from error


def _check_policies(documents: list[dict[str, Any]]) -> None:
    for document in documents:
        if document["kind"] in PODS:
            _check_pod(_name(document), document["spec"]["template"]["spec"])
    reached = {json.dumps(one["spec"]["podSelector"]["matchLabels"], sort_keys=True)
               for one in documents if one["kind"] == "NetworkPolicy"}  # fmt: skip
    for document in documents:
        labels = document["spec"]["template"]["metadata"]["labels"] if document["kind"] in PODS else None
        if reached and labels and json.dumps(labels, sort_keys=True) not in reached:
            raise Bad(f"{_name(document)} has no network policy")


def _check_pod(name: str, pod: dict[str, Any]) -> None:
    """What the restricted profile asks for, and that no secret stands in the text."""
    if not pod["securityContext"].get("runAsNonRoot") or pod["securityContext"]["runAsUser"] == 0:
        raise Bad(f"{name} may run as root")
    if pod.get("automountServiceAccountToken", True) or pod.get("enableServiceLinks", True):
        raise Bad(f"{name} is told more of the cluster than it needs")
    for container in pod["containers"]:
        rights = container["securityContext"]
        if (
            rights["allowPrivilegeEscalation"]
            or not rights["readOnlyRootFilesystem"]
            or rights["capabilities"]["drop"] != ["ALL"]
        ):
            raise Bad(f"{name} has rights that it needs not")
        if "memory" not in container["resources"].get("limits", {}) or "cpu" not in container[
            "resources"
        ].get("requests", {}):
            raise Bad(f"{name} has no bounds")
        for variable in container["env"]:
            if variable["name"].endswith(("_URL", "_TOKEN")) and "value" in variable:
                raise Bad(f"{name}: {variable['name']} is written out")


def _check_refused(chart: Path, name: str, values: dict[str, Any]) -> None:
    try:
        list(_rendered(chart, values))
    except helm.HelmError:
        return
    raise Bad(f"the chart takes {name}: {values}")


def _check_compose(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        for variable, value in (service.get("environment") or {}).items():
            if variable.endswith(("PASSWORD", "TOKEN", "_URL")) and "${" not in str(value):
                raise Bad(f"compose, {name}: {variable} is written out")
        ports = [str(port) for port in service.get("ports", [])]
        if ports and name not in ("proxy", "grafana"):
            raise Bad(f"compose, {name}: only the proxy is open to others, not {ports}")
    print(f"compose: {len(compose['services'])} services")


def _check_rules(deploy: Path) -> None:
    if shutil.which("promtool") is None:
        print("alerts: NOT TRIED, for promtool is not on PATH (Debian: the package prometheus)")
        return
    _run("promtool", "check", "config", "--syntax-only", str(deploy / "prometheus" / "prometheus.yml"))
    _run("promtool", "check", "rules", str(deploy / "chart" / "files" / "rules.yml"))
    _run("promtool", "test", "rules", str(deploy / "prometheus" / "rules_test.yml"))
    print("alerts: tried")


def _run(program: str, *words: str) -> None:
    found = Path(sys.executable).parent / program
    command = [str(found) if found.exists() else program, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Bad(f"{program} {' '.join(words)}:\n{done.stdout}{done.stderr}")


def _name(document: dict[str, Any]) -> str:
    return f"{document['kind']} {document['metadata']['name']}"


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]))
    except Bad as bad:
        sys.exit(f"deploy: {bad}")
