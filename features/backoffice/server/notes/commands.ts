import { z } from 'zod'
import { defineCommand } from '#platform/server/operator-command.ts'
import type { CommandExecution } from '#platform/server/operator-command.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { resolveUserId } from '#features/account/server/door.ts'
import { countNotes, findNote, insertNote, pinNote, removeNote } from './data.ts'
import type { NoteRow } from './data.ts'

const noteInput = z.object({
  user: z.string().min(1).max(254),
  text: z.string().trim().min(1).max(2000),
  pinned: z.boolean().default(false),
})
const noteRefInput = { noteId: z.string().min(1).max(60) }
interface NoteRef {
  readonly noteId: string
}
const requireNote = async (sql: Sql, { noteId }: NoteRef): Promise<NoteRow> => (await findNote(sql, noteId)) ?? fail('NOTE_NOT_FOUND')
const ofNote = {
  permission: 'customers.note',
  subject: async ({ db }: Deps, named: NoteRef) => `note:${(await requireNote(db, named)).id}`,
  weigh: async ({ db }: Deps, named: NoteRef) => ({ userId: (await requireNote(db, named)).userId }),
} as const

export const noteCommands = [
  defineCommand({
    name: 'customer.note',
    summary: 'Writes a note about a customer, for operators alone',
    permission: 'customers.note',
    input: noteInput,
    resolve: async ({ db }, input) => ({ ...input, user: await resolveUserId(db, input.user) }),
    // The command lists must not contain a removed text either
    conceal: ({ text }) => ({ text: `(${[...text].length})` }),
    subject: async (_deps, { user }) => `user:${user}`,
    weigh: async (_deps, { user }) => ({ userId: user }),
    look: ({ tx }, { user }) => countNotes(tx, user).then((counts) => ({ ...counts })),
    // Other operators write notes concurrently
    loose: ['notes', 'pinned'],
    run: async ({ tx, deps, by }, { user, text, pinned }) => {
      const now = deps.clock.now()
      const id = createId('cnt', now.getTime())
      await insertNote(tx, { id, userId: user, text, pinned, madeBy: by.id, madeAt: now })
      await tx.audit('customer.noted', `user:${user}`, { noteId: id, pinned })
      return { noteId: id }
    },
  }),
  defineCommand({
    ...ofNote,
    name: 'customer.pin-note',
    summary: 'Keeps a note above the others, or no longer',
    input: z.object({ ...noteRefInput, pinned: z.boolean() }),
    look: async ({ tx }: CommandExecution, named) => ({ pinned: (await requireNote(tx, named)).pinned }),
    run: async ({ tx }, { noteId, pinned }) => {
      const { userId } = await requireNote(tx, { noteId })
      if (!(await pinNote(tx, noteId, pinned))) fail('NOTE_NOT_FOUND')
      await tx.audit(pinned ? 'customer.note-pinned' : 'customer.note-unpinned', `user:${userId}`, { noteId })
      return {}
    },
    undo: ({ noteId, pinned }) => ({ name: 'customer.pin-note', input: { noteId, pinned: !pinned } }),
  }),
  defineCommand({
    ...ofNote,
    name: 'customer.remove-note',
    summary: 'Removes a note about a customer for good: its text is erased',
    input: z.object(noteRefInput),
    look: async ({ tx }: CommandExecution, named) => {
      const note = await findNote(tx, named.noteId)
      return { written: note?.madeAt.toISOString() ?? null }
    },
    run: async ({ tx, deps, by, reason }, { noteId }) => {
      const { userId, madeBy } = await requireNote(tx, { noteId })
      if (!(await removeNote(tx, noteId, { by: by.id, at: deps.clock.now() }))) fail('NOTE_NOT_FOUND')
      await tx.audit('customer.note-removed', `user:${userId}`, { noteId, madeBy, reason })
      return {}
    },
  }),
] as const
