/** A good input of each call of the accelerated browser, as in `matrix.db.test.ts`. */
export const browserSamples: Readonly<Record<string, () => Record<string, unknown>>> = {
  'GET /v1/tool/proxy/browser/packageUseInfo': () => ({}),
  'POST /v1/tool/proxy/browser/activateTrial': () => ({}),
  'POST /v1/tool/proxy/browser/apply': () => ({}),
  'GET /v1/tool/proxy/browser/singleUseInfo': () => ({}),
  'POST /v1/tool/proxy/browser/singleUseApply': () => ({}),
  'POST /v1/tool/proxy/browser/authToken': () => ({}),
  'POST /v1/tool/proxy/browser/session': () => ({ token: 'x'.repeat(43) }),
  'GET /v1/tool/overseaAccount/listOverseaAccount': () => ({}),
  'GET /v1/tool/overseaAccount/accountStatus': () => ({ orderNo: 'srv_0000000000000000' }),
  'GET /v1/tool/overseaAccount/fastemail/available': () => ({}),
  'POST /v1/tool/overseaAccount/fastemail/apply': () => ({}),
  'GET /v1/tool/overseaAccount/latest': () => ({}),
  'POST /v1/tool/overseaAccount/reprocess': () => ({ id: 'srv_0000000000000000' }),
}
