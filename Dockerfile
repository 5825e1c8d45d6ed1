# SPDX-License-Identifier: Apache-2.0
#
#   docker build -t yunikorn:0.1.0 .
#   kind load docker-image yunikorn:0.1.0      # on kind
#
# The steps live in hack/image-root.sh, which an end-to-end test runs in a clean Debian root.
FROM debian:bookworm-slim AS build
WORKDIR /src

# The packages change far less often than the sources: a layer of their own.
COPY hack/lib.sh hack/image-root.sh hack/
RUN hack/image-root.sh packages && rm -rf /var/lib/apt/lists/*

COPY . .
RUN hack/image-root.sh build && hack/image-root.sh root /image-root

# No distribution underneath: no shell, no package manager, only what the binary loads.
FROM scratch
COPY --from=build /image-root /
USER 4444:4444
EXPOSE 9080
ENTRYPOINT ["/usr/bin/yunikorn"]
CMD ["scheduler"]
