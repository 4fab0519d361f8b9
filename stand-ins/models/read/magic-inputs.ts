/** The table of README.md for the page /sandbox. `bills` says what the sandbox's book charges for such a call. */
export interface MagicInput {
  readonly input: string
  readonly zh: string
  readonly en: string
  readonly bills: 'nothing' | 'all' | 'generated'
}

const fault = (name: string, zh: string, en: string, bills: MagicInput['bills'] = 'nothing', more = ''): MagicInput => ({
  input: `[[sandbox:fault=${name}${more}]]`,
  zh,
  en,
  bills,
})
const knob = (input: string, zh: string, en: string): MagicInput => ({ input: `[[sandbox:${input}]]`, zh, en, bills: 'all' })

export const MAGIC_INPUTS: readonly MagicInput[] = [
  knob('first=3000', '首字节延迟 3000 毫秒', 'the first byte after 3000 ms'),
  knob('chunk=200', '每个事件之间延迟 200 毫秒', '200 ms before each further event'),
  knob('pieces=1', '每个事件 1 个 token（默认 4）', 'one token in each event (4 by default)'),
  knob('tokens=500', '回答恰好 500 个 token', 'an answer of exactly 500 tokens'),
  knob('thinking=200', '思考恰好 200 个 token', 'exactly 200 tokens of thought'),
  {
    input: '[[play: read a.txt; write b.txt $sum; say $sum]]',
    zh: '逐步调用客户端自己的工具（read、write、run、call、say），用于命令行客户端',
    en: 'works with the client’s own tools, step by step (read, write, run, call, say); for command-line clients',
    bills: 'all',
  },
  knob('redacted=1', '附带一个 redacted_thinking 块（Anthropic）', 'adds a redacted_thinking block (Anthropic)'),
  fault('bad-request', '400 请求无效', '400, invalid request'),
  fault('unauthorized', '401 上游密钥无效', '401, the upstream key is refused'),
  fault('no-credit', '上游账户余额不足（429 / 402 / 429）', 'the upstream account has no credit (429 / 402 / 429)'),
  fault('forbidden', '403 无权限', '403, no permission'),
  fault('not-found', '404 模型不存在', '404, no such model'),
  fault('too-large', '413 请求过大', '413, request too large'),
  fault('rate-limit', '429，retry-after 7 秒', '429 with retry-after: 7', 'nothing', ',retry=7'),
  fault('error', '500 上游内部错误', '500, internal error'),
  fault('unavailable', '503 上游不可用', '503, unavailable'),
  fault('overloaded', '529（Anthropic）或 503 过载', '529 (Anthropic) or 503, overloaded'),
  fault('timeout', '504 上游超时', '504, timed out'),
  fault('error', '前 1 次失败，之后同一请求成功', 'fails once; the same request then works', 'nothing', ',times=1'),
  fault('error', '只在 twin-a 失败，用于试多个上游', 'fails at twin-a only, to try several upstreams', 'nothing', ',at=twin-a'),
  fault('close', '不回任何字节就断开连接', 'the socket closes without a byte'),
  fault('hang', '永不回应', 'never answers'),
  fault('html', '200，HTML 页面而非 JSON', '200 with an HTML page'),
  fault('bad-json', '200，JSON 损坏', '200 with invalid JSON', 'all'),
  fault('wrong-type', '内容正确，但 content-type 为 text/plain', 'the right body as text/plain', 'all'),
  fault('mid-error', '第 5 个事件之后发送错误事件', 'an error event after 5 events', 'generated', ',event=5'),
  fault(
    'mid-failed',
    '第 5 个事件之后发送 response.failed（含用量），其他协议同 mid-error',
    'response.failed with usage after 5 events; elsewhere as mid-error',
    'generated',
    ',event=5',
  ),
  fault('cut', '正文第 300 字节处断开连接', 'the connection is cut after 300 bytes of the body', 'generated', ',byte=300'),
  fault('cut', '第 5 个事件之后断开连接', 'the connection is cut after 5 events', 'generated', ',event=5'),
  fault('truncate', '第 5 个事件之后正常结束，缺少结尾', 'a clean end after 5 events, the rest is missing', 'generated', ',event=5'),
  fault('stall', '第 5 个事件之后不再发送', 'silence after 5 events', 'generated', ',event=5'),
  fault('garbage', '结尾之后附带垃圾字节', 'garbage after the end', 'all'),
  fault('over-cap', '回答超过 max_tokens 的两倍', 'an answer twice as long as the cap', 'all'),
  fault('usage-none', '不报告用量', 'no usage at all', 'all'),
  fault('usage-zero', '明确报告用量为 0', 'an explicit usage of 0'),
  fault('usage-twice', '用量报告两次', 'the usage is reported twice', 'all'),
  fault('usage-negative', '用量为负数', 'a negative usage', 'all'),
  fault('usage-huge', '用量大得离谱', 'an absurdly large usage', 'all'),
]
