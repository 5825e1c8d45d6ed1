#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An admission webhook that treats user.info as the official admission controller of YuniKorn 1.9 does.

usage: webhook.py PORT CERTIFICATE KEY LOG

On CREATE a pod that carries the annotation is refused, unless a user of kube-system made it; every other pod
is stamped with the user who made it, and gets this scheduler and an application id if it has none. On UPDATE a
change of the annotation is refused. Each decision is a line in LOG: OPERATION NAMESPACE/NAME USER DECISION.
"""
import base64
import http.server
import json
import re
import ssl
import sys
import threading

USER_INFO = "yunikorn.apache.org/user.info"
APP_LABELS = ("yunikorn.apache.org/app-id", "applicationId", "spark-app-selector")
SYSTEM_USERS = re.compile("^system:serviceaccount:kube-system:")
LOCK = threading.Lock()


def annotations(pod):
    return (pod or {}).get("metadata", {}).get("annotations") or {}


def stamp(pod, namespace, user):
    """The JSON patch of a pod that may be made."""
    info = {"user": user["username"], "groups": user.get("groups") or []}
    stamped = dict(annotations(pod))
    stamped.setdefault(USER_INFO, json.dumps(info))
    labels = dict(pod["metadata"].get("labels") or {})
    if not any(labels.get(label) for label in APP_LABELS):
        labels[APP_LABELS[0]] = f"yunikorn-{namespace}-autogen"[:63]
    return [
        {"op": "add", "path": "/metadata/annotations", "value": stamped},
        {"op": "add", "path": "/metadata/labels", "value": labels},
        {"op": "add", "path": "/spec/schedulerName", "value": "yunikorn"},
    ]


def review_create(request):
    pod, user = request["object"], request["userInfo"]
    if USER_INFO not in annotations(pod) or SYSTEM_USERS.match(user["username"]):
        return True, "stamped", stamp(pod, request.get("namespace", ""), user)
    groups = ",".join(user.get("groups") or [])
    return False, f"user {user['username']} with groups [{groups}] is not allowed to set user annotation", None


def review_update(request):
    before, after = annotations(request.get("oldObject")), annotations(request["object"])
    if before.get(USER_INFO, "") != after.get(USER_INFO, ""):
        return False, "user info annotation change is not allowed", None
    return True, "unchanged", None


def review(request):
    allowed, why, patch = (review_create if request["operation"] == "CREATE" else review_update)(request)
    metadata = request["object"]["metadata"]
    name = metadata.get("name") or metadata.get("generateName", "")
    with LOCK, open(sys.argv[4], "a", encoding="utf-8") as log:
        log.write(f"{request['operation']} {request.get('namespace', '')}/{name} "
                  f"{request['userInfo']['username']} {'allowed' if allowed else 'refused'}\n")
    response = {"uid": request["uid"], "allowed": allowed}
    if not allowed:
        response["status"] = {"code": 400, "message": why}
    if patch:
        response.update(patchType="JSONPatch", patch=base64.b64encode(json.dumps(patch).encode()).decode())
    return response


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": review(body["request"])}
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.serve_forever()


main()
