# The packages, installed as everywhere else. They include the Node that the lock file pins, so the image that runs
# needs no other one, and no npm.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

# Console and scanner for browsers, and the pages of /docs, so that no service has to make them.
FROM packages AS bundle
COPY docs/guides docs/guides
COPY scripts/make-dist.ts scripts/
COPY sdk/typescript/src sdk/typescript/src
COPY src src
COPY tools/docs-site tools/docs-site
COPY web web
RUN node scripts/make-dist.ts

# Not Alpine: the embedded PostgreSQL needs the GNU C library.
FROM debian:bookworm-slim
# With a name, without which PostgreSQL makes no database; and not root, as whom it does not run.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data punchcard \
  && install --directory --owner=punchcard --group=punchcard --mode=0700 /data
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=bundle /app/dist dist
COPY package.json ./
COPY db/migrations db/migrations
COPY docs/guides docs/guides
COPY sdk/typescript/src sdk/typescript/src
COPY src src
COPY tools/docs-site tools/docs-site
COPY web web
ENV PATH=/app/node_modules/.bin:$PATH NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER punchcard
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# No shell and no npm in between: the signal must reach the service itself.
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
