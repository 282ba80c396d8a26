#!/bin/sh
# Makes .venv with exactly what requirements.lock names, and gateway/web/node_modules with what package-lock.json
# names; a moment's look when nothing has changed. PYTHON=python3.12 chooses the interpreter.
set -eu
cd "$(dirname "$0")/.."

say() { echo "setup: $*" >&2; }

fits() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' 2>/dev/null; }

may_install() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; }

# Runs a command whose words are shown only when it fails, and then after them the first argument.
quietly() {
    problem=$1
    shift
    log=$(mktemp)
    if ! "$@" >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        rm "$log"
        say "$problem"
        exit 1
    fi
    rm "$log"
}

apt_get() { DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=120 "$@"; }

apt_install() {
    say "installing $*"
    quietly "apt-get could not read its package lists" apt_get update
    quietly "apt-get could not install $*" apt_get install --no-install-recommends "$@"
}

find_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if fits "$candidate"; then
            python=$candidate
            return 0
        fi
    done
    return 1
}

make_venv() {
    if ! find_python && [ -z "${PYTHON:-}" ] && may_install; then
        apt_install python3 python3-venv
    fi
    if ! find_python; then
        say "no Python 3.11 to 3.13 found (looked for ${PYTHON:-python3, python3.13, python3.12, python3.11})"
        exit 1
    fi
    # Debian keeps this part of Python in a package of its own.
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        if ! may_install; then
            say "$python cannot make virtual environments; on Debian: sudo apt-get install python3-venv"
            exit 1
        fi
        apt_install python3-venv
    fi
    rm -rf .venv
    "$python" -m venv .venv
}

install_python_packages() {
    # The directory is part of it: the programs in .venv/bin hold its path.
    wanted=$({ pwd; cat requirements.lock pyproject.toml; } | cksum)
    if [ "$(cat .venv/installed 2>/dev/null)" = "$wanted" ] && fits .venv/bin/python; then
        return
    fi
    { fits .venv/bin/python && [ -x .venv/bin/pip ]; } || make_venv
    say "installing Python packages into .venv"
    pip=".venv/bin/python -m pip --disable-pip-version-check --quiet"
    $pip install --require-hashes -r requirements.lock
    $pip install --no-deps --editable .
    echo "$wanted" >.venv/installed
}

install_web_packages() {
    web=gateway/web
    wanted=$(cat "$web/package.json" "$web/package-lock.json" | cksum)
    if [ "$(cat "$web/node_modules/installed" 2>/dev/null)" = "$wanted" ]; then
        return
    fi
    if ! command -v npm >/dev/null; then
        if ! may_install; then
            say "npm is missing, which installs what the web client uses; on Debian: sudo apt-get install npm"
            exit 1
        fi
        apt_install npm
    fi
    say "installing npm packages into $web/node_modules"
    quietly "npm could not install the packages of $web" \
        npm ci --prefix "$web" --include=dev --ignore-scripts --no-audit --no-fund
    echo "$wanted" >"$web/node_modules/installed"
}

install_python_packages
install_web_packages
