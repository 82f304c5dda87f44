# The image holds the binary, root certificates and an empty data folder; no shell.
# docker build --build-arg VERSION=v1.2.3 -t portal .
# docker run -p 8080:8080 -v portal:/data portal serve --demo

FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION}" -o /out/portal ./cmd/portal \
	&& mkdir /out/data

FROM scratch
# Webhooks, mail and the payment processor are reached over TLS; time zones are in the binary.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/portal /portal
COPY --from=build --chown=65532:65532 --chmod=700 /out/data /data
USER 65532:65532
ENV PORTAL_ADDR=0.0.0.0:8080 PORTAL_DATA=/data
VOLUME /data
EXPOSE 8080
# Healthy once the database answers, migrations are done and jobs run.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["/portal", "health"]
ENTRYPOINT ["/portal"]
CMD ["serve"]
