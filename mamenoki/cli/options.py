"""Options that the verbs which ask a server share."""

from typing import Annotated

import typer

Server = Annotated[str | None, typer.Option(help="HOST:PORT; none: the running demo's.")]
Token = Annotated[str | None, typer.Option(envvar="MAMENOKI_TOKEN", help="Who you are.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print as JSON.")]
