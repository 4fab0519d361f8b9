import { closeBell } from '#platform/server/database/bell.ts'
import { defineFeature } from '#platform/server/feature.ts'
import { supportErrors } from '../errors.ts'
import { supportTexts } from '../texts.ts'
import { supportDeskRoutes } from './desk/read-inbox.ts'
import { supportCommands } from './desk/commands.ts'
import { supportConfig } from './config.ts'
import { eraseOf, exportOf } from './door.ts'
import { featuresRoute, isOn } from './features-route.ts'
import { supportJobs } from './jobs.ts'
import { supportSources } from './page-sources.ts'
import { supportRoutes } from './routes.ts'
import { supportPanel } from './sandbox/panel.ts'
import { sandboxRoutes } from './sandbox/route.ts'
import { supportSettings } from './settings.ts'

export const support = defineFeature({
  name: 'support',
  texts: supportTexts,
  errors: supportErrors,
  routes: [supportRoutes],
  isOn,
  consoleRoutes: [supportDeskRoutes],
  rawRoutes: [featuresRoute, ...sandboxRoutes],
  sandboxPanels: [supportPanel],
  commands: supportCommands,
  jobs: supportJobs,
  // A closed account takes its conversations along.
  events: [{ event: 'user.deleted', name: 'support', handle: ({ db }, { userId }: { userId: string }) => eraseOf(db, userId) }],
  settings: supportSettings,
  config: supportConfig,
  personal: { exportOf: ({ db }, userId) => exportOf(db, userId) },
  pageSources: supportSources,
  start: async (deps) => () => closeBell(deps, 'support'),
})
