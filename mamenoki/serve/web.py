"""The web pages' process."""

import sys

from service import metrics
from service.logging import configure
from service.settings import Settings
from service.wire import AddressTaken
from storage.database import Database
from web.app import create
from web.serving import server


def main() -> None:
    """Runs until SIGTERM. Settings come from the environment."""
    settings = Settings()
    configure(settings.log_level, settings.log_json)
    database = Database(settings.database_url)
    try:
        app = create(settings, database)
        if settings.web_metrics_address:
            metrics.serve(settings.web_metrics_address, app.state.site.metrics.registry)
        server(app, settings).run()
    except AddressTaken as error:
        sys.exit(f"mamenoki: {error}")
    finally:
        database.close()


if __name__ == "__main__":
    main()
