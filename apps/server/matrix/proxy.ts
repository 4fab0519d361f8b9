import { browserSamples } from './browser.ts'
import { remoteSamples } from './remote.ts'

/** A good input of each call of the proxy and of what stands on it, as in `matrix.db.test.ts`. */
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
