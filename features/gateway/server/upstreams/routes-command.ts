/**
 * `npm run gateway:routes -- list`: lists the upstreams of each model (docs/routing.md). Changes are operator commands
 * (`upstreams/commands.ts`), under this name too; running gateways follow within a second.
 */
import { runInstallationCommand } from '#platform/server/command.ts'
import { listRoutes } from './list-routes.ts'

await runInstallationCommand('routes', {}, async ({ db }) => {
  for (const line of await listRoutes(db)) console.log(line)
})
