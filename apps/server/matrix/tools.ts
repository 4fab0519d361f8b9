/** A good input of each call of the overseas tools, as in `matrix.db.test.ts`. */
export const toolSamples: Readonly<Record<string, (victim: { readonly numberId: string }) => Record<string, unknown>>> = {
  'GET /v1/tool/reward/overseaMobileStat': () => ({}),
  'POST /v1/tool/reward/overseaMobile/apply': () => ({ type: 1 }),
  'GET /v1/tool/reward/overseaMobile/available': () => ({}),
  'GET /v1/tool/reward/overseaMobile/pageList': () => ({}),
  'POST /v1/tool/reward/overseaMobile/pack': () => ({}),
  'POST /v1/tool/reward/overseaMobile/returnPack': (v) => ({ id: v.numberId }),
  'POST /v1/tool/reward/overseaMobile/cancel': (v) => ({ id: v.numberId }),
  'GET /v1/tool/reward/overseaMobile/{id}': (v) => ({ id: v.numberId, waitSeconds: 0 }),
}
