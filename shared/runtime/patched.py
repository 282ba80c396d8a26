"""Import this first in a process that hosts services: eventlet's greenlets take the place of threads.

What is imported later, psycopg above all, then waits in a way that lets other greenlets run.
"""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore"
    )  # eventlet tells at every start that it is only kept alive; nameko needs it
    import eventlet

eventlet.monkey_patch()
