/** `npm run wallet:verify`: prints OK with counts, or the bad rows, the first bad row first, and exits with 1. */
import { runInstallationCommand } from '#platform/server/command.ts'
import { verifyLedger } from './verify.ts'

await runInstallationCommand(
  'verify',
  {},
  {
    work: async ({ db }) => {
      const { problems, counts } = await verifyLedger(db)
      for (const { atTable, rowId, problem } of problems) console.error(`BAD ${atTable} ${rowId}: ${problem}`)
      if (problems.length) process.exitCode = 1
      else
        console.log(
          `OK ${Object.entries(counts)
            .map(([name, count]) => `${count} ${name}`)
            .join(', ')}`,
        )
    },
  },
)
