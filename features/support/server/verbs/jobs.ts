import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { sendMail } from '#features/notices/server/door.ts'
import { findSupportContact, createVisitorToken } from '../contact.ts'
import { claimOperatorMail, claimUserMail } from '../data.ts'
import type { MessageBurst } from '../data.ts'
import { answerMail, questionMail } from '../mails.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

const EXCERPT = 600
const excerpt = (text: string) => ([...text].length > EXCERPT ? `${[...text].slice(0, EXCERPT).join('')} …` : text)

/** Sends due mails: unseen answers to their users, new messages to the support address; one mail per burst. */
export async function notifyAway(deps: Deps): Promise<void> {
  while (await transact(deps.db, SYSTEM, (tx) => mailOne(deps, tx, { take: claimUserMail, mail: mailUser })));
  while (await transact(deps.db, SYSTEM, (tx) => mailOne(deps, tx, { take: claimOperatorMail, mail: mailOperator })));
}

async function mailOne(
  deps: Deps,
  tx: Tx,
  { take, mail }: { readonly take: typeof claimUserMail; readonly mail: (deps: Deps, tx: Tx, burst: MessageBurst) => Promise<void> },
): Promise<boolean> {
  const burst = await take(tx, deps.clock.now())
  if (burst && burst.count > 0) await mail(deps, tx, burst)
  return burst !== undefined
}

async function mailUser(deps: Deps, tx: Tx, burst: MessageBurst): Promise<void> {
  const to = burst.visitorEmail ?? (await findSupportContact(tx, burst.userId!))?.email
  if (!to) return
  // The visitor's token is in the fragment, which browsers send to no server.
  const link = burst.visitorId ? `${deps.siteUrl()}/#support=${createVisitorToken(deps.secretKey, burst.visitorId)}` : `${deps.siteUrl()}/api#support`
  await sendMail(deps, tx, {
    to,
    template: answerMail,
    values: { text: excerpt(burst.excerpt), count: String(burst.count), link },
    lang: burst.lang,
    dedupe: `support.answer:${burst.id}:${burst.lastSeq}`,
  })
  await tx.audit('support.user-mailed', `conversation:${burst.id}`, { count: burst.count })
}

async function mailOperator(deps: Deps, tx: Tx, burst: MessageBurst): Promise<void> {
  await sendMail(deps, tx, {
    to: deps.config.SUPPORT_EMAIL,
    template: questionMail,
    values: {
      id: burst.id,
      from: burst.visitorEmail ?? burst.userId ?? '',
      count: String(burst.count),
      orderNo: burst.orderNo ?? '–',
      text: excerpt(burst.excerpt),
    },
    lang: DEFAULT_LANG,
    dedupe: `support.question:${burst.id}:${burst.lastSeq}`,
    goodForSeconds: 3 * 86_400,
  })
  await tx.audit('support.operator-mailed', `conversation:${burst.id}`, { count: burst.count })
}
