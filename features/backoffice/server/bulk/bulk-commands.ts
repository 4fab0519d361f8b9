import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import { fail } from '#platform/shared/errors.ts'
import { findBulk, moveBulk, readBulkTally } from './data.ts'

const input = z.object({ bulkId: z.string().regex(/^blk_[0-9A-Z]{26}$/) })
type BulkInput = z.output<typeof input>
const lookAtBulk = async ({ tx }: CommandExecution, { bulkId }: BulkInput) => {
  const { waiting, done, refused } = await readBulkTally(tx, bulkId)
  return { state: (await findBulk(tx, bulkId))?.state ?? null, waiting, done, refused }
}
const common = {
  ...{ permission: 'bulks.stop', input, look: lookAtBulk },
  subject: async (_deps: unknown, { bulkId }: BulkInput) => `bulk:${bulkId}`,
  // The job keeps running while the operator reads the preview
  loose: ['waiting', 'done', 'refused'],
} as const

export const bulkCommands = [
  defineCommand({
    ...common,
    name: 'bulk.stop',
    summary: 'Stops a bulk after the row in hand; what is done stays done',
    run: async ({ tx, reason }, { bulkId }) => {
      if (!(await moveBulk(tx, bulkId, { from: 'running', to: 'stopped' }))) fail('NOT_FOUND')
      await tx.audit('bulk.stopped', `bulk:${bulkId}`, { reason })
      return {}
    },
    undo: ({ bulkId }) => ({ name: 'bulk.go-on', input: { bulkId } }),
  }),
  defineCommand({
    ...common,
    name: 'bulk.go-on',
    summary: 'Resumes a stopped bulk with the rows that wait',
    run: async ({ tx, reason }, { bulkId }) => {
      if (!(await moveBulk(tx, bulkId, { from: 'stopped', to: 'running' }))) fail('NOT_FOUND')
      await tx.audit('bulk.went-on', `bulk:${bulkId}`, { reason })
      return {}
    },
    undo: ({ bulkId }) => ({ name: 'bulk.stop', input: { bulkId } }),
  }),
] as const
