# Build: docker build -t millrace .
# Run:   docker run --read-only --tmpfs /tmp -v millrace-data:/data -p 3000:3000 -e PUBLIC_URL=https://www.example.com millrace

# The base image of every stage. A tag may name other bytes tomorrow, a digest may not. It is not filled in here: look
# it up where you build, and write it behind the tag, so that two builds of one commit start from the same bytes:
#   docker buildx imagetools inspect node:24-slim --format '{{.Manifest.Digest}}'
#   ARG NODE_IMAGE=node:24-slim@sha256:…        (or: docker build --build-arg NODE_IMAGE=node:24-slim@sha256:… .)
ARG NODE_IMAGE=node:24-slim

FROM $NODE_IMAGE AS build
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY . .
# Without a history here, documents in the image do not tell the day of their last change.
# Pages and client into dist/, our content compiled into dist/content-cache.sqlite; faulty content ends the build.
RUN STRICT_CONTENT=1 npm run build

FROM $NODE_IMAGE AS packages
WORKDIR /site
COPY package.json package-lock.json .npmrc ./
COPY scripts/prune-packages.mjs scripts/
# Optional packages stay, since the preview pictures' drawing library is one; the list of what goes is in the script.
RUN npm ci --omit=dev && node scripts/prune-packages.mjs

FROM $NODE_IMAGE
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
WORKDIR /site
RUN mkdir /data && chown node:node /data
COPY --from=packages /site/node_modules node_modules
COPY --from=build /site/dist dist
COPY package.json LICENSE ./
COPY client/contract client/contract
COPY content content
COPY server server
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]
