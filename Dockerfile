# Build: docker build -t millrace .
# Run:   docker run --read-only --tmpfs /tmp -v millrace-data:/data -p 3000:3000 -e PUBLIC_URL=https://www.example.com millrace

# The base image of every stage, by digest: a tag may name other bytes tomorrow. It is the index of Node.js 24.21.0 for
# amd64 and arm64 as of 2026-10-09, read from public records of it. For a newer one, look up its digest and write both:
#   docker buildx imagetools inspect node:24-bookworm-slim --format '{{.Manifest.Digest}}'
# or try it once with docker build --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20

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
# Compiled code is kept, for the commands of the operator too.
ENV NODE_ENV=production DATA_DIR=/data PORT=3000 NODE_COMPILE_CACHE=/data/compile-cache
WORKDIR /site
RUN mkdir /data && chown node:node /data
COPY --from=packages /site/node_modules node_modules
COPY --from=build /site/dist dist
COPY package.json LICENSE ./
COPY client/contract client/contract
COPY content content
COPY scripts/operator scripts/operator
COPY server server
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Straight to the server, even if a proxy for outgoing requests is set in the environment.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "const { HOST, PORT } = process.env; http.get({ host: HOST || '127.0.0.1', port: PORT || 3000, path: '/readyz', agent: false }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "dist/programs/main.mjs"]
