import { defineFeature, type Feature } from '#platform/server/feature.ts'
import { backofficeErrors } from '../errors.ts'
import { backofficeTexts } from '../texts.ts'
import { authenticateOperator } from './access/sessions.ts'
import { alarmCommands } from './alarms/commands.ts'
import { COMMAND_INPUT_PURPOSE } from './commands/sealed-input.ts'
import { deliverAlarmHook, ALARM_HOOK_PURPOSE } from './alarms/deliver-hook.ts'
import { startEventFlush, watchAlarms } from './alarms/watch.ts'
import { OPERATOR_TOTP_PURPOSE } from './access/secrets.ts'
import { buildDemoPanel } from './demo.ts'
import { sendDigest } from './audit/send-digest.ts'
import { listSupplyConditions } from './balances/conditions.ts'
import { createBalancesCheck, createCertificatesCheck } from './balances/check-balances.ts'
import { bulkCommands } from './bulk/bulk-commands.ts'
import { createBulkCommand } from './bulk/create-bulk-command.ts'
import { createBulksJob } from './bulk/work-bulk.ts'
import { commandJobs } from './commands/sweep.ts'
import { generateCommandRoutes } from './commands/generated-routes.ts'
import { compensationCommand } from './compensation/command.ts'
import { compensateUnit } from './compensation/compensate.ts'
import { COMPENSATION_KIND } from './compensation/words.ts'
import { submitEvidenceCommand } from './disputes/command.ts'
import { runExport } from './exports/exports.ts'
import { indexLists } from './exports/write-list.ts'
import { noteCommands } from './notes/commands.ts'
import { noticeCommands } from './notices/commands.ts'
import { buildBackofficeRoutes } from './routes.ts'
import { createSettingCommands } from './settings/setting-commands.ts'
import { backofficeSettings } from './settings.ts'
import { operatorCommands } from './staff/operator-commands.ts'
import { changeRulesCommand } from './staff/rules-command.ts'
import { z } from 'zod'

const backofficeConfig = {
  /** Public URL of the console, `https://ops.example.com`; passkeys are bound to it. Default: `http://localhost` with CONSOLE_PORT. */
  CONSOLE_URL: z.url({ protocol: /^https?$/ }).optional(),
} as const

export { makeFirstOwner } from './staff/first-owner.ts'
export { operateCommand } from './commands/operate.ts'

/** Operators and their commands, including the commands and settings of all other features. */
export function createBackoffice(others: readonly Feature[]): Feature {
  const known = [...others.flatMap(({ settings }) => settings ?? []), ...backofficeSettings]
  const many = others.flatMap(({ commands = [] }) => commands.filter(({ bulk }) => bulk).map(createBulkCommand))
  const commands = [
    ...operatorCommands,
    changeRulesCommand,
    ...createSettingCommands(known),
    ...bulkCommands,
    ...alarmCommands,
    ...noteCommands,
    ...noticeCommands,
    compensationCommand,
    submitEvidenceCommand,
    ...many,
  ]
  const own = { name: 'backoffice', errors: backofficeErrors, commands }
  const lists = () => indexLists([...others.flatMap(({ consoleRoutes }) => consoleRoutes ?? []), ...routes])
  const routes = buildBackofficeRoutes(known, lists)
  return defineFeature({
    ...own,
    texts: backofficeTexts,
    config: backofficeConfig,
    settings: backofficeSettings,
    // Ten minutes past midnight in Shanghai
    jobs: [
      ...commandJobs,
      { name: 'backoffice.digest', cron: '10 16 * * *', handle: sendDigest },
      { name: 'backoffice.bulks', everyMs: 2_000, handle: createBulksJob({ [COMPENSATION_KIND]: compensateUnit }) },
      { name: 'backoffice.alarms', everyMs: 15_000, handle: watchAlarms([listSupplyConditions]) },
      { name: 'backoffice.balances', everyMs: 600_000, handle: createBalancesCheck(others) },
      { name: 'backoffice.certificates', everyMs: 6 * 3_600_000, handle: createCertificatesCheck(others) },
      { name: 'backoffice.alarm-hook', atOnce: { jobs: 4, ofGroup: 1 }, handle: (deps, data: { id: string }) => deliverAlarmHook(deps, data) },
      { name: 'backoffice.export', handle: runExport(lists) },
    ],
    consoleRoutes: [...routes, ...generateCommandRoutes([...others, own])],
    authenticateOperator,
    sandboxPanels: [buildDemoPanel],
    start: async (deps) => startEventFlush(deps),
    sealed: [
      { table: 'backoffice_commands', column: 'input_sealed', id: 'no', owner: 'no', purpose: COMMAND_INPUT_PURPOSE },
      { table: 'backoffice_operators', column: 'totp_sealed', id: 'id', owner: 'id', purpose: OPERATOR_TOTP_PURPOSE },
      { table: 'backoffice_alarm_ways', column: 'secret_sealed', id: 'id', owner: 'id', purpose: ALARM_HOOK_PURPOSE },
    ],
  })
}
