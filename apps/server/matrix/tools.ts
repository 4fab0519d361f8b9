/** A good input of each call of the overseas tools, as in `matrix.db.test.ts`. */
export const toolSamples: Readonly<
  Record<string, (victim: { readonly numberId: string; readonly boxId: string; readonly mailId: string }) => Record<string, unknown>>
> = {
  'GET /v1/tool/reward/overseaMobileStat': () => ({}),
  'POST /v1/tool/reward/overseaMobile/apply': () => ({ type: 1 }),
  'GET /v1/tool/reward/overseaMobile/available': () => ({}),
  'GET /v1/tool/reward/overseaMobile/pageList': () => ({}),
  'POST /v1/tool/reward/overseaMobile/pack': () => ({}),
  'POST /v1/tool/reward/overseaMobile/returnPack': (v) => ({ id: v.numberId }),
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
}
