"""An agent in Python: begins a task, works under its settings, and says how it ended. Needs nothing but Python."""

import json
import os
import urllib.request

URL = os.environ.get("RSI_URL", "http://127.0.0.1:7747")


def post(path, value):
    headers = {"content-type": "application/json"}
    if "RSI_TOKEN" in os.environ:
        headers["authorization"] = "Bearer " + os.environ["RSI_TOKEN"]
    request = urllib.request.Request(URL + path, json.dumps(value).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def flaky(attempt):
    if attempt == 0:
        raise ConnectionResetError("connection reset by peer")
    return "done"


# "idempotent": this task may run again after a failure. Without it, "retries.*" stays 0.
task = post("/tasks", {"task": "fetch_page", "model": "sonnet", "session": "nightly", "idempotent": True})
allowed = task["policy"]["retries.network"]
for attempt in range(allowed + 1):
    try:
        flaky(attempt)
        end = {"success": True}
        break
    except ConnectionError as error:
        end = {"success": False, "error": {"name": type(error).__name__, "message": str(error)}}

print(post(f"/tasks/{task['id']}/end", end))
