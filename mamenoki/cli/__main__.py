"""``python -m mamenoki.cli``."""

import sys

try:
    from mamenoki.cli.main import app

    app()
except KeyboardInterrupt:  # while the modules are loaded
    sys.exit(130)
