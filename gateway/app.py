"""The gateway's Flask app, made of the declared routes."""

import flask
import structlog
from flask import Flask, Response
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import BaseConverter

from gateway import problems
from gateway.dispatch import Dispatcher
from gateway.edge import Edge
from gateway.parts import Parts
from gateway.ports import GatewayPorts
from gateway.route import EVENT_STREAM, PATH_FORMS, ROUTES
from gateway.routes import load
from shared.runtime import metrics

log = structlog.get_logger()


def create_app(ports: GatewayPorts) -> Flask:
    """A WSGI app that serves every declared route and nothing else."""
    load()
    app = Flask("gateway", static_folder=None)
    app.config.update(PROPAGATE_EXCEPTIONS=False)
    app.url_map.merge_slashes = False
    app.url_map.strict_slashes = True
    app.url_map.redirect_defaults = False
    for name, form in PATH_FORMS.items():
        app.url_map.converters[name] = type(name, (BaseConverter,), {"regex": form})
    endless = {route.name for route in ROUTES if route.content_type == EVENT_STREAM}
    parts = Parts(ports)
    if problem := parts.web_files.problem():
        log.error("web client incomplete", problem=problem)
    dispatcher = Dispatcher(parts)
    for route in ROUTES:
        rule = route.path
        for name in route.path_names:
            rule = rule.replace(f"{{{name}}}", f"<{name}:{name}>")
        app.add_url_rule(
            rule,
            endpoint=route.name,
            view_func=dispatcher.view(route),
            methods=[route.method],
            provide_automatic_options=False,
        )
    for served in app.url_map.iter_rules():
        # Werkzeug adds HEAD to every GET; of a stream that never ends there is no head alone.
        if served.endpoint in endless and served.methods is not None:
            served.methods.discard("HEAD")
    app.register_error_handler(HTTPException, _http_problem)
    app.register_error_handler(Exception, _fault)
    app.wsgi_app = Edge(app.wsgi_app, ports.ids, ports.settings.cors_origins)  # type: ignore[method-assign]
    hops = ports.settings.proxy_hops
    if hops:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=0)  # type: ignore[method-assign]
    return app


def _http_problem(error: HTTPException) -> Response:
    """What Flask itself refuses, as a problem document."""
    if isinstance(error, MethodNotAllowed):
        response = problems.respond(
            "method-not-allowed", f"Allowed here: {', '.join(sorted(error.valid_methods or []))}."
        )
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods or []))
        return response
    if error.code == 404:
        return problems.respond("not-found")
    return problems.respond("malformed", "The request is not well formed.")


def _fault(error: Exception) -> Response:
    metrics.FAILURES.labels("gateway", "request").inc()
    log.error("request.failed", exc_info=error, path=flask.request.path)
    return problems.respond(problems.INTERNAL)
