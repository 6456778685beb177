"""Settings come from the environment under the names that the manual gives."""

import pytest

from service.settings import Settings, split_address


def test_the_two_urls_have_names_without_a_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://db/one")
    monkeypatch.setenv("REDIS_URL", "redis://r/1")
    monkeypatch.setenv("MAMENOKI_LEASE_MS", "1234")
    settings = Settings()
    assert settings.database_url == "postgresql://db/one"
    assert settings.redis_url == "redis://r/1"
    assert settings.lease_ms == 1234


def test_they_may_be_given_by_name() -> None:
    settings = Settings(database_url="sqlite:///x", redis_url="redis://y", public_address="127.0.0.1:0")
    assert (settings.database_url, settings.redis_url) == ("sqlite:///x", "redis://y")


def test_a_secret_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAMENOKI_SERVICE_TOKEN", "very secret")
    settings = Settings()
    assert settings.service_token.get_secret_value() == "very secret"
    assert "very secret" not in repr(settings)


@pytest.mark.parametrize(
    ("address", "parts"),
    [("127.0.0.1:80", ("127.0.0.1", 80)), ("[::1]:0", ("::1", 0)), ("host:65535", ("host", 65535))],
)
def test_addresses_are_split(address: str, parts: tuple[str, int]) -> None:
    assert split_address(address) == parts


@pytest.mark.parametrize("address", ["", "host", ":80", "host:", "host:http", "host:65536", "host:-1"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="host:port"):
        split_address(address)
