/** A good input of each call of the services, as in `matrix.db.test.ts`. */
export const serviceSamples: Readonly<Record<string, (victim: { readonly taskId: string }) => Record<string, unknown>>> = {
  'GET /v1/service/list': () => ({}),
  'GET /v1/service/tasks': () => ({ live: 'true' }),
  'GET /v1/service/task': (v) => ({ id: v.taskId }),
  'POST /v1/service/giveUp': (v) => ({ id: v.taskId }),
  'GET /v1/tool/openaiPlus/shareUseInfo': () => ({}),
  'GET /v1/tool/openaiPlus/windows': () => ({ platform: 1 }),
  'GET /v1/tool/openaiPlus/getPrice': () => ({ inviteCode: '' }),
  'POST /v1/tool/openaiPlus/applySharePlus': () => ({ packageId: 2, inviteCode: '' }),
  'POST /v1/tool/openaiPlus/applyExtension': () => ({ platform: 1 }),
  'GET /v1/tool/openaiPlus/shareUrl': () => ({ platform: 1 }),
  'GET /v1/tool/openaiPlus/shareTrialUrl': () => ({ platform: 1 }),
  'GET /v1/tool/openaiPlus/pageList': () => ({}),
  'GET /v1/tool/openaiPlus/livekitToken': () => ({}),
}
