/** Valid inputs of the accelerated browser's endpoints, as in `matrix.db.test.ts`. */
const browserSamples: Readonly<Record<string, () => Record<string, unknown>>> = {
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

/** Valid inputs of the remote browser's endpoints, as in `matrix.db.test.ts`. */
const remoteSamples: Readonly<Record<string, () => Record<string, unknown>>> = {
  'GET /user/getKasm': () => ({}),
  'GET /reward/kasm/getUrl': () => ({ waitSeconds: 0 }),
  'GET /reward/kasm/count': () => ({}),
  'POST /reward/kasm/apply': () => ({ more: false }),
  'POST /reward/kasm/open': () => ({}),
  'POST /reward/kasm/end': () => ({}),
}

/** Valid inputs of the endpoints of the proxy and of the features built on it, as in `matrix.db.test.ts`. */
export const proxySamples: Readonly<Record<string, () => Record<string, unknown>>> = {
  'GET /v1/tool/reward/proxyStat': () => ({}),
  'POST /v1/tool/reward/proxy/apply': () => ({ exit: 'direct' }),
  'GET /v1/tool/reward/proxy/available': () => ({}),
  'POST /v1/tool/reward/proxy/end': () => ({}),
  'GET /v1/tool/reward/proxy/pageList': () => ({ pageNum: 1, pageSize: 20 }),
  'POST /common/switchyOmega': () => ({}),
  'POST /v1/tool/proxy/extension/code': () => ({}),
  'GET /v1/tool/proxy/extension/list': () => ({}),
  'POST /v1/tool/proxy/extension/remove': () => ({ id: 'ext_0000000000000000' }),
  'POST /v1/tool/proxy/extension/link': () => ({ code: '00000000', name: 'Chrome' }),
  'POST /v1/tool/proxy/extension/state': () => ({ token: 'x'.repeat(43) }),
  ...browserSamples,
  ...remoteSamples,
}
