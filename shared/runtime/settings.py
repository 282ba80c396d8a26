"""Every setting, read once from the environment under the prefix ``LASTWATERS_``."""

from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """One process's settings. Absent server URLs mean the embedded stack."""

    model_config = SettingsConfigDict(env_prefix="LASTWATERS_", frozen=True, extra="ignore")

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
        default="", description="extra cadences allowed, in seconds, comma separated (K-01)"
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
        512, ge=8, description="requests and streams one gateway process holds at once"
    )
    signing_key: str | None = Field(
        default=None, description="Ed25519 private key of receipts, 32 bytes in base64; else kept by orders"
    )
