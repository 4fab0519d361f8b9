import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commonErrors } from '#platform/shared/errors.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { SupplierFaultKind } from '#platform/server/suppliers/data-faults.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { accountErrors } from '#features/account/errors.ts'
import { aUser } from '#features/account/server/builders.ts'
import { identityErrors } from '#features/identity/errors.ts'
import { aStoredPicture, aReadyHolder } from '#features/identity/server/builders.ts'
import { sendMail, sendSms } from '#features/notices/server/door.ts'
import { deliverMail } from '#features/notices/server/verbs/deliver-mail.ts'
import { deliverSms } from '#features/notices/server/verbs/deliver-sms.ts'
import { aCaptchaParam, chooseCaptcha } from '#features/risk/server/builders.ts'
import { requireHuman } from '#features/risk/server/door.ts'
import { selectCheckStates, selectIdentityFile, releaseNoticeClaim, selectOutcomeNotice, clearFaceCheck } from './data-outcomes.ts'
import type { OutcomeWorld } from './outcome-orders.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

/** A request of a user to a supplier on which no order waits. */
export interface HelperRequest {
  /** Sends the request once. Resolves to the resulting code or state. */
  readonly ask: () => Promise<number | string>
  /** Data stored for the user; compared before and after each fault. */
  readonly kept: () => Promise<unknown>
}
export interface HelperRow {
  readonly port: string
  readonly operation: string
  /** Code or state that the user gets, by fault. */
  readonly at: Readonly<Record<Exclude<SupplierFaultKind, 'late'>, number | string>>
  /** Stored data after two requests, by fault. */
  readonly left: Readonly<Record<Exclude<SupplierFaultKind, 'late'>, unknown>>
  /** Result once the supplier works again; absent if that needs a person or a model. */
  readonly well?: Readonly<Record<Exclude<SupplierFaultKind, 'late'>, number | string>>
  /** Supplier calls made by two requests. */
  readonly calls: Readonly<Record<Exclude<SupplierFaultKind, 'late'>, number>>
  readonly begin: () => Promise<HelperRequest>
}

const repeatOutcome = <T>(value: T) => ({ reject: value, fail: value, stall: value })
const { FACE_AWAY, FACE_REFUSED, READER_AWAY } = identityErrors
const UNAVAILABLE = commonErrors.UNAVAILABLE.code

function buildIdentityRows({ db, app }: OutcomeWorld): readonly HelperRow[] {
  const { deps } = app
  const folder = String(deps.config['IDENTITY_FOLDER' as never])
  const aSaved = async () => {
    const { userId, token } = await aUser(deps)
    await aReadyHolder(deps, userId)
    await clearFaceCheck(db, userId)
    return { userId, call: app.callAs(token) }
  }
  return [
    {
      ...{ port: 'identity.face', operation: 'start', calls: repeatOutcome(2), well: repeatOutcome(200) },
      at: { reject: FACE_REFUSED.code, fail: FACE_AWAY.code, stall: FACE_AWAY.code },
      // Nothing happened at the supplier, so it does not count as one of the day's tries.
      left: { reject: ['failed', 'failed'], fail: [], stall: ['expired', 'expired'] },
      begin: async () => {
        const { userId, call } = await aSaved()
        return { ask: async () => (await call('GET', '/account/identityVerify')).code, kept: () => selectCheckStates(db, userId) }
      },
    },
    {
      ...{ port: 'identity.face', operation: 'query', calls: { reject: 1, fail: 2, stall: 2 } },
      at: { reject: 'expired', fail: 'processing', stall: 'processing' },
      left: { reject: ['expired'], fail: ['processing'], stall: ['processing'] },
      well: { reject: 'expired', fail: 'processing', stall: 'processing' },
      begin: async () => {
        const { userId, call } = await aSaved()
        const { certifyId } = (await call('GET', '/account/identityVerify')).data
        return { ask: async () => (await call('GET', '/account/identityVerifyStatus', { certifyId })).data.state, kept: () => selectCheckStates(db, userId) }
      },
    },
    {
      ...{ port: 'identity.ocr', operation: 'read', at: repeatOutcome(READER_AWAY.code), calls: repeatOutcome(2) },
      left: repeatOutcome({ state: 'kept', reads: 0 }),
      begin: async () => {
        const { userId, token } = await aUser(deps)
        const filePath = await aStoredPicture(deps, userId, { purpose: 'idFront', jpeg: Buffer.from('a picture'), size: { width: 1012, height: 638 } })
        return { ask: async () => (await app.callAs(token)('POST', '/common/ocrIdCardFace', { filePath })).code, kept: () => selectIdentityFile(db, filePath) }
      },
    },
    {
      ...{ port: 'identity.store', operation: 'takeOut', at: repeatOutcome(UNAVAILABLE), calls: repeatOutcome(2) },
      left: repeatOutcome({ state: 'expected', reads: 0 }),
      // Still in quarantine: inspected, and refused for its content.
      well: repeatOutcome(identityErrors.UPLOAD_REFUSED.code),
      begin: async () => {
        const call = app.callAs((await aUser(deps)).token)
        const { filePath } = (await call('GET', '/common/upload/policy', { purpose: 'idFront', type: 'image/jpeg', size: 10 })).data
        mkdirSync(join(folder, 'quarantine'), { recursive: true })
        writeFileSync(join(folder, 'quarantine', filePath), 'no picture')
        return { ask: async () => (await call('POST', '/common/upload/done', { filePath })).code, kept: () => selectIdentityFile(db, filePath) }
      },
    },
  ]
}

const readOutcomeName = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { errorName?: string; message: string }) => error.errorName ?? 'again',
  )

function buildRiskRows({ app }: OutcomeWorld): readonly HelperRow[] {
  const { deps } = app
  return [
    {
      ...{
        port: 'risk.captcha',
        operation: 'verify',
        at: repeatOutcome('CAPTCHA_REQUIRED'),
        left: repeatOutcome(''),
        well: repeatOutcome('ok'),
        calls: repeatOutcome(2),
      },
      begin: async () => {
        await chooseCaptcha(deps, 'altcha')
        const param = await aCaptchaParam(deps, 'login')
        return { ask: () => readOutcomeName(requireHuman(deps, { scene: 'login', param, ip: '203.0.113.9' })), kept: async () => '' }
      },
    },
    {
      ...{ port: 'account.signin', operation: 'personOf', left: repeatOutcome(''), calls: repeatOutcome(2) },
      at: { reject: accountErrors.GOOGLE_FAILED.code, fail: UNAVAILABLE, stall: UNAVAILABLE },
      begin: async () => ({
        ask: async () => {
          const { state } = (await app.call('POST', '/user/googleOAuthStart')).data
          const { clientId } = (await app.call('GET', '/common/signInOptions')).data.google
          return (await app.call('POST', '/user/googleOAuthLogin', { clientId, state, idToken: 'a.b.c' })).code
        },
        kept: async () => '',
      }),
    },
  ]
}

let readerCount = 0
const template = {
  name: 'test.outcome',
  texts: mapLangs(() => ({ subject: 'Hello', body: '{link}' })),
  ...({ subject: 'subject', body: 'body' } as const),
}

/** A mail and a text message: kept sealed until accepted, refused or given up. */
function buildNoticeRows({ db, app }: OutcomeWorld): readonly HelperRow[] {
  const { deps } = app
  const row = (
    kind: 'mail' | 'sms',
    over: Pick<HelperRow, 'calls'>,
    { to, order }: { readonly to: () => string; readonly order: (to: string) => Promise<unknown> },
  ): HelperRow => ({
    ...{ port: `notices.${kind}`, operation: 'send', ...over },
    at: { reject: 'refused', fail: 'waiting', stall: 'waiting' },
    left: { reject: 'refused', fail: 'waiting', stall: 'waiting' },
    well: { reject: 'refused', fail: 'sent', stall: 'sent' },
    begin: async () => {
      const reader = to()
      await order(reader)
      const { id } = await selectOutcomeNotice(db, kind, reader)
      const state = async () => (await selectOutcomeNotice(db, kind, reader)).state
      return {
        ask: async () => {
          await releaseNoticeClaim(db.owner, kind, id)
          await (kind === 'mail' ? deliverMail : deliverSms)(deps, id).catch(() => {})
          return state()
        },
        kept: state,
      }
    },
  })
  const mail = (to: string) =>
    transact(db, SYSTEM, (tx) => sendMail(deps, tx, { to, template, values: { link: 'https://mingxi.example/' }, lang: DEFAULT_LANG, dedupe: `outcome:${to}` }))
  const sms = (to: string) => transact(db, SYSTEM, (tx) => sendSms(deps, tx, { to, template: 'code', lang: DEFAULT_LANG, code: '731904', purpose: 'login' }))
  return [
    row('mail', { calls: { reject: 1, fail: 2, stall: 2 } }, { to: () => `reader${++readerCount}@example.com`, order: mail }),
    // The carrier reports that it does not have the lost message, so it is sent again.
    row('sms', { calls: { reject: 1, fail: 2, stall: 2 } }, { to: () => `+86138${String(++readerCount).padStart(4, '0')}1111`, order: sms }),
  ]
}

export const buildHelperRows = (world: OutcomeWorld): readonly HelperRow[] => [...buildIdentityRows(world), ...buildRiskRows(world), ...buildNoticeRows(world)]
