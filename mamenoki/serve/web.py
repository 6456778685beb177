"""The web pages' process."""

import uvicorn

from service.logging import configure
from service.settings import Settings, split_address
from storage.database import Database
from web.app import create


def main() -> None:
    """Runs until SIGTERM. Settings come from the environment."""
    settings = Settings()
    configure(settings.log_level, settings.log_json)
    host, port = split_address(settings.web_address)
    database = Database(settings.database_url)
    try:
        uvicorn.run(
            create(settings, database), host=host, port=port, log_level="warning", server_header=False
        )
    finally:
        database.close()


if __name__ == "__main__":
    main()
