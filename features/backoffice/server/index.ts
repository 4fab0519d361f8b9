import { defineFeature } from '#platform/server/feature.ts'
import type { Feature } from '#platform/server/feature.ts'
import { backofficeErrors } from '../errors.ts'
import { backofficeTexts } from '../texts.ts'
import { authenticateOperator } from './access/sessions.ts'
import { TOTP_PURPOSE } from './access/secrets.ts'
import { sendDigest } from './audit/send-digest.ts'
import { commandJobs } from './commands/sweep.ts'
import { routesOfCommands } from './commands/generated-routes.ts'
import { backofficeConfig } from './config.ts'
import { backofficeRoutes } from './routes.ts'
import { settingCommands } from './settings/setting-commands.ts'
import { backofficeSettings } from './settings.ts'
import { operatorCommands } from './staff/operator-commands.ts'
import { changeRules } from './staff/rules-command.ts'

export { makeFirstOwner } from './staff/first-owner.ts'
export { operate } from './commands/operate.ts'

/** Operators and what they may have done with the things of all other features, whose commands and settings it reads. */
export function backofficeOf(others: readonly Feature[]): Feature {
  const known = [...others.flatMap(({ settings }) => settings ?? []), ...backofficeSettings]
  const own = { name: 'backoffice', errors: backofficeErrors, commands: [...operatorCommands, changeRules, ...settingCommands(known)] }
  return defineFeature({
    ...own,
    texts: backofficeTexts,
    config: backofficeConfig,
    settings: backofficeSettings,
    // ten past midnight in Shanghai
    jobs: [...commandJobs, { name: 'backoffice.digest', cron: '10 16 * * *', handle: sendDigest }],
    consoleRoutes: [...backofficeRoutes(known), ...routesOfCommands([...others, own])],
    authenticateOperator,
    sealed: [{ table: 'backoffice_operators', column: 'totp_sealed', id: 'id', owner: 'id', purpose: TOTP_PURPOSE }],
  })
}
