"""Runs a pipeline's file as its product documents it, with the machine's own bash and what `uses`, `component` and `template`
name taken from this checkout.

fake_runner.py github|gitlab|azure FILE CHECKOUT WORKSPACE    variables and secrets: the environment; inputs: a JSON object on stdin

Prints one JSON object: code (the job's), log, outputs (GitHub), summary (GitHub), published (paths that steps take from the
workspace, each with whether it is there). An expression that it does not know ends it.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml


class Pipeline:
    """The parts that jobs of all three products share: a workspace, an environment, a log."""

    def __init__(self, checkout, workspace):
        self.checkout, self.workspace = pathlib.Path(checkout), pathlib.Path(workspace)
        self.temporary = pathlib.Path(tempfile.mkdtemp(prefix="runner-"))
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "GITLAB_", "OIDC_PREFLIGHT_"))}
        self.secrets = dict(os.environ)
        self.log, self.code, self.published = "", 0, {}
        self.outputs, self.summary = {}, ""

    def bash(self, options, script, environment, folder="."):
        file = self.temporary / "script.sh"
        file.write_text(script)
        done = subprocess.run(
            ["bash", *options, str(file)],
            env={**self.environment, **{k: words(v) for k, v in environment.items()}},
            cwd=self.workspace / folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        said = done.stdout.decode()
        self.log += said
        self.code = self.code or done.returncode
        return said

    def publish(self, path):
        self.published[path] = bool(list(self.workspace.glob(path.rstrip("/"))))

    def result(self):
        members = ("code", "log", "outputs", "summary", "published")
        return json.dumps({member: getattr(self, member) for member in members})


def words(value):
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def filled(value, opening, closing, lookup):
    """The value with every expression between the marks replaced by the result of `lookup`."""
    if isinstance(value, dict):
        return {filled(k, opening, closing, lookup): filled(v, opening, closing, lookup) for k, v in value.items()}
    if isinstance(value, list):
        return [filled(v, opening, closing, lookup) for v in value]
    if not isinstance(value, str):
        return value
    one = re.escape(opening) + r"\s*((?:(?!" + re.escape(closing) + r").)*?)\s*" + re.escape(closing)
    whole = re.fullmatch(one, value)
    if whole:
        return lookup(whole[1])
    return re.sub(one, lambda m: words(lookup(m[1])), value)


def github(job, document):
    """GitHub Actions: a workflow's only job; composite actions of this checkout are run, others are only inspected."""
    files = {name: job.temporary / name for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_ENV", "GITHUB_STEP_SUMMARY")}
    base = {"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": str(job.workspace), "RUNNER_TOOL_CACHE": str(job.temporary / "tools")}
    (only,) = document["jobs"].values()

    def run(step, environment):
        for file in files.values():
            file.write_text("")
        shell = {"bash": ["--noprofile", "--norc", "-eo", "pipefail"], None: ["-e"]}[step.get("shell")]
        variables = {**base, **{name: str(file) for name, file in files.items()}, **environment}
        job.bash(shell, step["run"], variables, step.get("working-directory", "."))
        for line in files["GITHUB_PATH"].read_text().splitlines():
            job.environment["PATH"] = line + ":" + job.environment["PATH"]
        job.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        return dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())

    def action(given, environment):
        described = yaml.safe_load((job.checkout / "action.yml").read_text())
        unknown = set(given) - set(described["inputs"])
        assert not unknown, f"the action has no input {unknown}"
        inputs = {name: given.get(name, one["default"]) for name, one in described["inputs"].items()}
        steps = {}

        def lookup(expression):
            kind, *path = expression.split(".")
            if kind == "inputs":
                return inputs[path[0]]
            if kind == "steps" and path[1] == "outputs":
                return steps.get(path[0], {}).get(path[2], "")
            raise AssertionError(expression)

        for step in described["runs"]["steps"]:
            if job.code == 0:
                step = filled(step, "${{", "}}", lookup)
                own = {**environment, "GITHUB_ACTION_PATH": str(job.checkout), **step.get("env", {})}
                steps[step["id"]] = run(step, own)
        job.outputs = {name: filled(one["value"], "${{", "}}", lookup) for name, one in described["outputs"].items()}

    def lookup(expression):
        kind, name = expression.split(".")
        assert kind == "secrets", expression
        return job.secrets[name]

    extra = json.load(sys.stdin)
    for step in only["steps"]:
        if job.code and step.get("if") != "always()":
            continue
        step = filled(step, "${{", "}}", lookup)
        name = step.get("uses", "").split("@")[0]
        if name == "oidc-preflight/oidc-preflight":
            action({**step.get("with", {}), **extra}, step.get("env", {}))
        elif name == "actions/upload-artifact":
            job.publish(step["with"]["path"])
        elif name != "actions/checkout":
            run(step, step.get("env", {}))


def gitlab(job, document):
    """GitLab CI/CD: the included component's only job."""
    (included,) = document["include"]
    assert re.search(r"/preflight@[0-9.]+$", included["component"])
    described, template = yaml.safe_load_all((job.checkout / "templates/preflight.yml").read_text())
    known = described["spec"]["inputs"]
    given = {**included["inputs"], **json.load(sys.stdin)}
    assert not set(given) - set(known), f"the component has no input {set(given) - set(known)}"
    values = {name: given.get(name, one["default"]) for name, one in known.items()}

    def lookup(expression):
        kind, name = expression.split(".")
        assert kind == "inputs"
        return values[name]

    ((_, one),) = filled(template, "$[[", "]]", lookup).items()
    # before_script and script are one script, which ends with the first command that fails.
    script = "set -eo pipefail\n" + "\n".join(one["before_script"] + one["script"])
    job.bash([], script, {"GITLAB_CI": "true", "CI": "true", **one["variables"]})
    for path in one["artifacts"]["paths"] + list(one["artifacts"]["reports"].values()):
        job.publish(path)


def azure(job, document):
    """Azure Pipelines: the steps of the template that the pipeline names."""
    (step,) = document["steps"]
    file, repository = step["template"].split("@")
    assert repository in [one["repository"] for one in document["resources"]["repositories"]]
    described = yaml.safe_load((job.checkout / file).read_text())
    known = {one["name"]: one["default"] for one in described["parameters"]}
    given = filled({**step["parameters"], **json.load(sys.stdin)}, "$(", ")", lambda name: job.secrets[name])
    assert not set(given) - set(known), f"the template has no parameter {set(given) - set(known)}"
    values = {**known, **given}
    variables = {}

    def lookup(expression):
        kind, name = expression.split(".")
        assert kind == "parameters"
        return values[name]

    for step in described["steps"]:
        environment = step.get("env", {})
        each = [key for key in environment if key.startswith("${{ each secret in parameters.secrets }}")]
        for key in each:
            assert environment.pop(key) == {"${{ secret.key }}": "${{ secret.value }}"}
            environment.update(values["secrets"])
        step = filled({**step, "env": environment}, "${{", "}}", lookup)
        if not fulfilled(step.get("condition"), job, variables):
            continue
        if "bash" in step:
            base = {"TF_BUILD": "True", "AGENT_TEMPDIRECTORY": str(job.temporary), "AGENT_OS": "Linux"}
            said = job.bash(["--noprofile", "--norc"], step["bash"], {**base, **step["env"]})
            for folder in re.findall(r"^##vso\[task\.prependpath\](.*)$", said, re.M):
                job.environment["PATH"] = folder + ":" + job.environment["PATH"]
            variables.update(re.findall(r"^##vso\[task\.setvariable variable=(\w+)\](.*)$", said, re.M))
        else:
            job.publish(step.get("publish") or step["inputs"]["testResultsFiles"])


def fulfilled(condition, job, variables):
    """Whether a step of Azure Pipelines runs; a condition is true for all members of `and`."""
    terms = {None: not job.code, "always()": True}
    if condition in terms:
        return terms[condition]
    (name, value) = re.fullmatch(r"and\(always\(\), eq\(variables\.(\w+), '(\w+)'\)\)", condition).groups()
    return variables.get(name) == value


if __name__ == "__main__":
    product, file, checkout, workspace = sys.argv[1:]
    pipeline = Pipeline(checkout, workspace)
    {"github": github, "gitlab": gitlab, "azure": azure}[product](pipeline, yaml.safe_load(pathlib.Path(file).read_text()))
    print(pipeline.result())
