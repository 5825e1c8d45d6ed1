# SPDX-License-Identifier: Apache-2.0
#
#   docker build -t yunikorn:0.1.0 .
#   kind load docker-image yunikorn:0.1.0      # on kind
#
# A release names its sources, and pins the base by digest (docs/install.md, "Build the image"):
#
#   docker build --build-arg REVISION=$(git rev-parse HEAD) --build-arg SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) \
#       --build-arg BASE=debian:bookworm-slim@sha256:... .
#
# The steps live in hack/image-root.sh, which an end-to-end test runs in a clean Debian root.
# For another processor (--platform linux/arm64) the build runs on this one, with a cross compiler.
ARG BASE=debian:bookworm-slim
FROM --platform=$BUILDPLATFORM ${BASE} AS build
WORKDIR /src
ARG TARGETARCH
ENV YK_ARCH=${TARGETARCH}

# The packages and the libraries change far less often than the sources: layers of their own.
COPY hack/lib.sh hack/image-root.sh hack/image-libraries.sh hack/
COPY cmake/arm64.cmake cmake/
RUN hack/image-root.sh packages && hack/image-root.sh libraries && rm -rf /var/lib/apt/lists/*

COPY . .
ARG REVISION=unknown
ARG SOURCE_DATE_EPOCH=0
RUN YK_SOURCE_REVISION=${REVISION} hack/image-root.sh build && hack/image-root.sh root /image-root

# No distribution underneath: no shell, no package manager, only what the binary loads.
FROM scratch
COPY --from=build /image-root /
ARG BASE
ARG REVISION=unknown
ARG VERSION=0.1.0
ARG CREATED=1970-01-01T00:00:00Z
ARG SOURCE=
LABEL org.opencontainers.image.title="yunikorn" \
    org.opencontainers.image.description="A scheduler for Kubernetes with hierarchical queues" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.version="${VERSION}" \
    org.opencontainers.image.revision="${REVISION}" \
    org.opencontainers.image.created="${CREATED}" \
    org.opencontainers.image.source="${SOURCE}" \
    org.opencontainers.image.base.name="${BASE}"
USER 4444:4444
EXPOSE 9080
ENTRYPOINT ["/usr/bin/yunikorn"]
CMD ["scheduler"]
