import type { Blocker, Deps, PersonalData } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { identityTexts } from '../texts.ts'
import { erasePerson, lockPerson, selectPerson } from './data.ts'
import { endCheck, selectNewestCheck } from './face/data.ts'
import { readSavedPerson } from './person.ts'
import { selectUserFiles } from './uploads/data.ts'
import { deleteFiles } from './uploads/verbs.ts'

/** Exports the user's own data, decrypted. The pictures are shown, not exported. */
async function exportOf(deps: Deps, userId: string): Promise<unknown> {
  const row = await selectPerson(deps.db, userId)
  if (!row) return undefined
  return {
    status: row.status,
    method: row.method,
    usTaxpayer: row.taxpayer,
    noticeReadAt: row.noticeReadAt,
    facePassedAt: row.facePassedAt,
    holder: (await readSavedPerson(deps, deps.db, row)) ?? null,
    pictures: (await selectUserFiles(deps.db, userId)).map(({ purpose, createdAt }) => ({ purpose, uploadedAt: createdAt })),
  }
}

async function blockersOf({ db }: Deps, userId: string, lang: Lang): Promise<readonly Blocker[]> {
  const row = await selectPerson(db, userId)
  return row?.status === 'review' && row.paidAt ? [{ code: 'identity', text: identityTexts[lang].close_review, path: '/open-account-payment' }] : []
}

/** Erases the papers of a closed account: the files, then the key of all other data. */
export async function eraseIdentity(deps: Deps, userId: string): Promise<void> {
  await deleteFiles(deps, await selectUserFiles(deps.db, userId))
  await transact(deps.db, SYSTEM, async (tx) => {
    if (!(await lockPerson(tx, userId))) return
    const check = await selectNewestCheck(tx, userId)
    if (check?.state === 'processing') await endCheck(tx, check.id, { state: 'expired', now: deps.clock.now() })
    await erasePerson(tx, userId, deps.clock.now())
    await tx.audit('identity.erased', `user:${userId}`)
  })
}

export const identityPersonal: PersonalData = { exportOf, blockersOf }
