"""Every setting, read once from the environment under the prefix ``LASTWATERS_``."""

from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

PREFIX = "LASTWATERS_"


class BadSettings(ValueError):
    """Settings that cannot be used; the message names every one of them."""


def _service_database(name: str) -> str | None:
    found: str | None = Field(default=None, description=f"PostgreSQL of {name}, with its own role")
    return found


class Settings(BaseSettings):
    """One process's settings. Absent server URLs mean the embedded stack."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore")

    amqp_url: str | None = Field(default=None, description="RabbitMQ; absent in the embedded stack")
    database_url: str | None = Field(
        default=None, description="PostgreSQL for every service without a URL of its own"
    )
    admin_database_url: str | None = Field(
        default=None, description="PostgreSQL as owner, for `lastwaters migrate`"
    )
    redis_url: str | None = Field(default=None, description="Redis; absent in the embedded stack")
    host: str = Field(default="127.0.0.1", description="address the gateway listens on")
    port: int = Field(default=8000, ge=0, le=65535, description="port the gateway listens on")
    ops_port: int = Field(default=8001, ge=0, le=65535, description="port of health, readiness and metrics")
    data_dir: Path = Field(default=Path(".run"), description="where the embedded stack keeps its databases")
    trial_cadences: str = Field(
        default="",
        pattern=r"^\s*(\d{1,7}\s*(,\s*\d{1,7}\s*)*)?$",
        description="extra cadences allowed, in seconds, comma separated (K-01)",
    )
    trial_seeds: bool = Field(
        default=False, description="matches may be given a seed, and are practice (W-11)"
    )
    insecure_cookies: bool = Field(default=False, description="session cookies without Secure on plain http")
    session_days: int = Field(default=30, ge=1, description="a sign-in lasts this long")
    password_memory_kib: int = Field(
        default=47_104, ge=8, description="argon2id: memory of one password check"
    )
    password_rounds: int = Field(default=2, ge=1, description="argon2id: passes over that memory")
    open_lobbies: int = Field(default=5, ge=1, description="lobbies an account may sit in at a time")
    running_matches: int = Field(
        default=50, ge=1, description="running matches an account may sit in at a time"
    )
    lobby_days: int = Field(default=14, ge=1, description="a lobby that nobody touched for so long ends")
    limits_factor: int = Field(default=1, ge=1, description="multiplies every request limit of the gateway")
    proxy_hops: int = Field(default=0, ge=0, le=8, description="proxies in front of the gateway, exactly")
    cors_origins: str = Field(
        default="", description="other web origins that may call the API, comma separated"
    )
    gateway_threads: int = Field(
        default=512, ge=8, description="requests and streams one gateway process holds at once"
    )
    signing_key: str | None = Field(
        default=None, description="Ed25519 private key of receipts, 32 bytes in base64; else kept by orders"
    )

    @property
    def extra_paces(self) -> frozenset[int]:
        """``trial_cadences`` as numbers."""
        return frozenset(int(pace) for pace in self.trial_cadences.split(",") if pace.strip()) - {0}

    accounts_database_url: str | None = _service_database("accounts")
    lobby_database_url: str | None = _service_database("lobby")
    orders_database_url: str | None = _service_database("orders")
    messaging_database_url: str | None = _service_database("messaging")
    resolution_database_url: str | None = _service_database("resolution")
    fog_database_url: str | None = _service_database("fog")
    clock_database_url: str | None = _service_database("clock")
    report_database_url: str | None = _service_database("report")
    bots_database_url: str | None = _service_database("bots")
    ops_host: str = Field(default="127.0.0.1", description="address of health, readiness and metrics")
    start_wait: float = Field(
        default=10.0, ge=0, le=600, description="seconds a starting process waits for its servers"
    )
    drain: float = Field(
        default=20.0, gt=0, le=600, description="seconds a stopping process may take to end its work"
    )
    workers: int = Field(default=10, ge=1, le=200, description="calls and messages a service handles at once")
    call_timeout: float = Field(
        default=5.0, gt=0, le=60, description="seconds until a call to a service counts as unanswered"
    )
    gateway_calls: int = Field(
        default=32, ge=1, le=500, description="calls a gateway process makes at once; each has a connection"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="the least that is logged"
    )

    @property
    def embedded_dir(self) -> Path:
        """The embedded stack's own folder, for its owner alone; other things stand beside it in ``data_dir``."""
        return self.data_dir.absolute() / "embedded"

    def service_database_url(self, service: str) -> str | None:
        """The service's own, else the common one."""
        own: str | None = getattr(self, f"{service}_database_url", None)
        return own or self.database_url


def read_settings() -> Settings:
    """The settings of this process. Raises ``BadSettings`` that names every problem."""
    try:
        return Settings()
    except ValidationError as error:
        problems = "; ".join(
            f"{PREFIX}{'_'.join(str(part) for part in problem['loc']).upper()}: {problem['msg']}"
            for problem in error.errors()
        )
        raise BadSettings(problems) from None
