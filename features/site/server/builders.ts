import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { landingSetting, logosSetting, reviewsSetting } from './settings.ts'

const SAMPLE_REVIEWS: readonly (readonly [name: string, zh: string, en: string, roleZh: string, roleEn: string])[] = [
  ['A', '一个密钥接三家模型，换模型只改一行。', 'One key for three vendors; changing the model is one line.', '后端开发', 'Backend developer'],
  ['B', '每次调用花了多少都能点开看，报销时直接截图。', 'I can open what each call cost, and expense it from there.', '产品经理', 'Product manager'],
  [
    'C',
    '断网重连后余额还是对的，省了很多对账的时间。',
    'The balance is right even after a lost connection. No more reconciling.',
    '独立开发',
    'Indie developer',
  ],
  ['D', '支付宝扫码到账很快，手续费提前就看得到。', 'Alipay credits quickly, and the fee is shown before.', '设计师', 'Designer'],
  ['E', '旧模型下线会提前写清楚换成哪个。', 'When a model goes, its successor is named well before.', '数据工程师', 'Data engineer'],
  ['F', 'Claude Code 照着文档两分钟就配好了。', 'Claude Code took two minutes with the guide.', '前端开发', 'Frontend developer'],
  ['G', '失败的请求不收费，账单里也写得明白。', 'Failed requests cost nothing, and the bill says so.', '测试工程师', 'Test engineer'],
  ['H', '几个项目分开建密钥，用量一眼就清楚。', 'A key for each project, and usage is clear at a glance.', '技术负责人', 'Tech lead'],
  ['I', '没有套餐要选，用多少算多少。', 'No plan to choose: I pay for what I use.', '学生', 'Student'],
]

/** Adds invented reviews and company names to the member landing page, each marked as a sample. For the demo and tests. */
export async function addSampleContent(deps: Pick<Deps, 'db' | 'settings'>, landing?: 'api' | 'member'): Promise<void> {
  const reviews = SAMPLE_REVIEWS.map(([name, zh, en, roleZh, roleEn]) => ({ name, text: { zh, en }, role: { zh: roleZh, en: roleEn }, sample: true }))
  const logos = ['Northwind', 'Contoso', 'Fabrikam', 'Tailspin', 'Litware', 'Proseware'].map((name) => ({ name, sample: true }))
  await transact(deps.db, SYSTEM, async (tx) => {
    await deps.settings.set(tx, reviewsSetting, reviews)
    await deps.settings.set(tx, logosSetting, logos)
    if (landing) await deps.settings.set(tx, landingSetting, landing)
  })
}
