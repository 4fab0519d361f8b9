import { defineFeature } from '#platform/server/feature.ts'
import type { Feature } from '#platform/server/feature.ts'
import { backofficeErrors } from '../errors.ts'
import { backofficeTexts } from '../texts.ts'
import { authenticateOperator } from './access/sessions.ts'
import { alarmCommands } from './alarms/commands.ts'
import { INPUT_PURPOSE } from './commands/kept-input.ts'
import { deliverHook, HOOK_PURPOSE } from './alarms/deliver-hook.ts'
import { startKeeping, watchAlarms } from './alarms/watch.ts'
import { TOTP_PURPOSE } from './access/secrets.ts'
import { demoPanel } from './demo.ts'
import { sendDigest } from './audit/send-digest.ts'
import { supplyConditions } from './balances/conditions.ts'
import { lookAtBalances, lookAtCertificates } from './balances/look.ts'
import { bulkCommands } from './bulk/bulk-commands.ts'
import { manyOf } from './bulk/many.ts'
import { workBulks } from './bulk/work-bulk.ts'
import { commandJobs } from './commands/sweep.ts'
import { routesOfCommands } from './commands/generated-routes.ts'
import { compensationCommand } from './compensation/command.ts'
import { compensate } from './compensation/compensate.ts'
import { COMPENSATION } from './compensation/words.ts'
import { backofficeConfig } from './config.ts'
import { submitEvidence } from './disputes/command.ts'
import { runExport } from './exports/exports.ts'
import { listsOf } from './exports/write-list.ts'
import { noteCommands } from './notes/commands.ts'
import { noticeCommands } from './notices/commands.ts'
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
  const many = others.flatMap(({ commands = [] }) => commands.filter(({ bulk }) => bulk).map(manyOf))
  const commands = [
    ...operatorCommands,
    changeRules,
    ...settingCommands(known),
    ...bulkCommands,
    ...alarmCommands,
    ...noteCommands,
    ...noticeCommands,
    compensationCommand,
    submitEvidence,
    ...many,
  ]
  const own = { name: 'backoffice', errors: backofficeErrors, commands }
  const lists = () => listsOf([...others.flatMap(({ consoleRoutes }) => consoleRoutes ?? []), ...routes])
  const routes = backofficeRoutes(known, lists)
  return defineFeature({
    ...own,
    texts: backofficeTexts,
    config: backofficeConfig,
    settings: backofficeSettings,
    // ten past midnight in Shanghai
    jobs: [
      ...commandJobs,
      { name: 'backoffice.digest', cron: '10 16 * * *', handle: sendDigest },
      { name: 'backoffice.bulks', everyMs: 2_000, handle: workBulks({ [COMPENSATION]: compensate }) },
      { name: 'backoffice.alarms', everyMs: 15_000, handle: watchAlarms([supplyConditions]) },
      { name: 'backoffice.balances', everyMs: 600_000, handle: lookAtBalances(others) },
      { name: 'backoffice.certificates', everyMs: 6 * 3_600_000, handle: lookAtCertificates(others) },
      { name: 'backoffice.alarm-hook', atOnce: { jobs: 4, ofGroup: 1 }, handle: (deps, data: { id: string }) => deliverHook(deps, data) },
      { name: 'backoffice.export', handle: runExport(lists) },
    ],
    consoleRoutes: [...routes, ...routesOfCommands([...others, own])],
    authenticateOperator,
    sandboxPanels: [demoPanel],
    start: async (deps) => startKeeping(deps),
    sealed: [
      { table: 'backoffice_commands', column: 'input_sealed', id: 'no', owner: 'no', purpose: INPUT_PURPOSE },
      { table: 'backoffice_operators', column: 'totp_sealed', id: 'id', owner: 'id', purpose: TOTP_PURPOSE },
      { table: 'backoffice_alarm_ways', column: 'secret_sealed', id: 'id', owner: 'id', purpose: HOOK_PURPOSE },
    ],
  })
}
