/**
 * `npm run gateway:routes -- list`: where models are served (docs/routing.md). Whatever changes something is an operator's command
 * (`upstreams/commands.ts`), under this name too; running gateways follow within a second.
 */
import { runInstallationCommand } from '#platform/server/command.ts'
import { listRoutes } from './list-routes.ts'

await runInstallationCommand('routes', {}, async ({ db }) => {
  for (const line of await listRoutes(db)) console.log(line)
})
