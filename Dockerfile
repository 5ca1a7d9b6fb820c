# One process tree with its embedded PostgreSQL, or, with DATABASE_URL and HOLDFAST_ROLE, a part of a larger whole.
FROM node:24-slim
# Confines code of tenants; docs/reactors.md says what `docker run` has to allow.
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
# The install also makes packages/modules.pack, which code of tenants requires from.
COPY packages ./packages
RUN npm ci --omit=dev && npm cache clean --force
COPY bin ./bin
COPY src ./src
COPY commands ./commands
COPY queries ./queries
COPY projections ./projections
COPY infra ./infra
RUN mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 HOLDFAST_DATA_DIR=/data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:3000/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/holdfast.js", "start"]
