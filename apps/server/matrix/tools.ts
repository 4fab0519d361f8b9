const LINK = 'https://pay.openai.com/c/pay/cs_live_z1B2c3D4e5F6g7H8i9J0#fidkdWxOYHwnPyd1blpxYHZxWjA0'

/** Valid inputs of the overseas tools' endpoints, as in `matrix.db.test.ts`. */
export const toolSamples: Readonly<
  Record<
    string,
    (victim: { readonly [K in 'numberId' | 'packId' | 'boxId' | 'mailId' | 'failedId' | 'upgradeId' | 'cardId']: string }) => Record<string, unknown>
  >
> = {
  'GET /v1/tool/reward/overseaMobileStat': () => ({}),
  'POST /v1/tool/reward/overseaMobile/apply': () => ({ type: 1 }),
  'GET /v1/tool/reward/overseaMobile/available': () => ({}),
  'GET /v1/tool/reward/overseaMobile/pageList': () => ({}),
  'POST /v1/tool/reward/overseaMobile/pack': () => ({}),
  'POST /v1/tool/reward/overseaMobile/returnPack': (v) => ({ id: v.packId }),
  'POST /v1/tool/reward/overseaMobile/cancel': (v) => ({ id: v.numberId }),
  'GET /v1/tool/reward/overseaMobile/{id}': (v) => ({ id: v.numberId, waitSeconds: 0 }),
  'GET /common/emailAddress': () => ({}),
  'GET /reward/email/count': () => ({}),
  'GET /reward/email/get': () => ({}),
  'POST /reward/email/apply': () => ({ username: 'matrixbox1' }),
  'POST /reward/email/reapply': (v) => ({ id: v.boxId }),
  'POST /reward/email/password': (v) => ({ id: v.boxId, password: 'taken over 7', confirm: 'taken over 7' }),
  'POST /reward/email/login': (v) => ({ id: v.boxId, password: 'open sesame 7' }),
  'POST /reward/email/message/refresh': (v) => ({ id: v.boxId, waitSeconds: 0 }),
  'POST /reward/email/message/list': (v) => ({ id: v.boxId }),
  'POST /reward/email/message/read': (v) => ({ id: v.mailId }),
  'POST /reward/email/message/delete': (v) => ({ id: v.mailId }),
  'POST /reward/email/close': (v) => ({ id: v.boxId }),
  'GET /reward/openai/count': () => ({}),
  'POST /reward/openai/apply': () => ({ email: 'matrix@example.com', password: 'a horse of batteries', confirm: 'a horse of batteries' }),
  'POST /reward/openai/reapply': (v) => ({ id: v.failedId, password: 'a horse of batteries', confirm: 'a horse of batteries' }),
  'GET /reward/openai/available': () => ({}),
  'POST /reward/openai/list': () => ({}),
  'POST /common/openAIPlus': () => ({}),
  'POST /reward/bindTask': () => ({ plan: 'suno-pro', seats: 1, account: 'matrix@example.org', link: '' }),
  'POST /reward/bindTask/cardCheck': (v) => ({ id: v.upgradeId }),
  'POST /reward/bindQueue': (v) => ({ id: v.upgradeId, cardId: v.cardId, total: '20', payPassword: '271828' }),
  'POST /reward/openaiQueue': (v) => ({ id: v.upgradeId }),
  'GET /reward/status': (v) => ({ id: v.upgradeId }),
  'POST /reward/bindTask/link': (v) => ({ id: v.upgradeId, link: LINK, payPassword: '271828' }),
  'POST /reward/bindTask/leave': (v) => ({ id: v.upgradeId }),
  'POST /reward/bindTask/forget': (v) => ({ id: v.upgradeId }),
  'POST /reward/bindTask/list': () => ({}),
}
