import type { Deps, PersonalData } from '#platform/server/feature.ts'
import { DEFAULT_CHOICES } from '../contract-profile.ts'
import { requireUser } from './contacts.ts'
import { findPreferences, listAudit } from './profile/data.ts'
import { listSessions } from './sessions/data.ts'
import { readSessionMaxMs } from './settings.ts'

/** Account's part of the data export: no hashes, no tokens. */
async function exportOf({ db, clock, settings }: Deps, userId: string): Promise<unknown> {
  const user = await requireUser(db, userId)
  const now = clock.now()
  const sessions = await listSessions(db, userId, { now, bornAfter: new Date(now.getTime() - (await readSessionMaxMs(settings))) })
  const preferences = await findPreferences(db, userId)
  return {
    id: user.id,
    registeredAt: user.createdAt,
    email: user.email,
    emailVerifiedAt: user.emailVerifiedAt,
    mobile: user.mobile,
    google: user.hasGoogle,
    name: user.name,
    firstName: user.firstName,
    lastName: user.lastName,
    language: user.language,
    theme: user.theme,
    invoiceDetails: preferences?.invoice ?? null,
    mailChoices: { ...DEFAULT_CHOICES, ...preferences?.mailChoices },
    tipsSeen: preferences?.tips ?? [],
    invitedBy: preferences?.inviteCode ?? null,
    sessions: sessions.map(({ id: _, ...row }) => row),
    history: await listAudit(db, userId),
  }
}

export const accountPersonal: PersonalData = { exportOf }
