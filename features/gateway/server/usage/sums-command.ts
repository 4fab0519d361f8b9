/**
 * `npm run gateway:sums -- check|repair DAY`: compares a Shanghai day's usage sums with its rows and prints differences (exit code
 * 1). `repair` rebuilds the sums and requires `--reason` and the operator, `--as`.
 */
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { toOperatorActor, runInstallationCommand } from '#platform/server/command.ts'
import { createLog } from '#platform/server/log.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { checkSums, repairSums } from './check-sums.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { reason: { type: 'string' }, as: { type: 'string' } } })
const [what = 'check', asked = toShanghaiDay(Date.now())] = positionals
const day = z.iso.date().parse(asked)
const reason = values.reason?.trim()
if (what !== 'check' && what !== 'repair') throw new Error(`unknown: ${what}; known: check, repair`)
if (what === 'repair' && !reason) throw new Error('repair needs --reason')

await runInstallationCommand(
  'sums',
  {},
  {
    work: async ({ db }) => {
      const faults =
        what === 'repair'
          ? await repairSums({ db }, toOperatorActor(values.as), { day, reason: reason! })
          : await checkSums({ db, log: createLog('fatal') }, day)
      for (const fault of faults)
        console.log(
          `${fault.table}  ${fault.at}  account ${fault.accountId}  ${fault.model}  ${fault.keyId}  rows ${fault.rowsCalls} calls ${formatUsd(fault.rowsAmount)}  sums ${fault.sumsCalls} calls ${formatUsd(fault.sumsAmount)}`,
        )
      if (what === 'check') process.exitCode = faults.length ? 1 : 0
      console.log(faults.length ? `${faults.length} ${what === 'repair' ? 'repaired' : 'differ'}` : `OK ${day}: sums equal rows`)
    },
  },
)
