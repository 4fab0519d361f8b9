import { CHAT_PATH, MESSAGES_PATH, RESPONSES_PATH, pickInTurn, toGeminiPath, repeatRequest, buildUserMessages } from './strategy.ts'
import type { Strategy } from './strategy.ts'

const MESSAGE = JSON.stringify(buildUserMessages())
const raw = (...members: readonly string[]): string => `{${[...members, `"messages":${MESSAGE}`].join(',')}}`
const SOL_MEMBER = '"model":"gpt-6.2-sol"'

/** Requests that different parsers read differently. */
export const BODY_STRATEGIES: readonly Strategy[] = [
  {
    name: 'keys-twice',
    tries: 'members that stand there twice: the cap, the copies, the model, the stream',
    run: repeatRequest(10, CHAT_PATH, {
      body: (n) =>
        pickInTurn(
          [
            raw(SOL_MEMBER, '"max_tokens":100000', '"max_tokens":1'),
            raw(SOL_MEMBER, '"max_completion_tokens":1', '"max_completion_tokens":100000'),
            raw('"model":"gpt-6-luna"', '"n":100', '"n":1', '"max_tokens":5000'),
            raw('"model":"gpt-6-luna"', '"n":null', '"n":100', '"max_tokens":5000'),
            raw('"model":"gpt-6-astra"', '"model":"gpt-6-luna"', '"max_tokens":9000'),
            raw(SOL_MEMBER, '"stream":true', '"stream":false', '"max_tokens":9000'),
            raw(SOL_MEMBER, '"service_tier":"priority"', '"service_tier":"default"', '"max_tokens":9000'),
            raw(SOL_MEMBER, '"max_tokens":1', '"max_completion_tokens":100000'),
          ],
          n,
        ),
    }),
  },
  {
    name: 'claude-twice',
    tries: 'the same at Claude: caps, speed, tools, the mark of the cache',
    run: repeatRequest(8, MESSAGES_PATH, {
      body: (n) =>
        pickInTurn(
          [
            raw('"model":"claude-opus-5-5"', '"max_tokens":50000', '"max_tokens":1'),
            raw('"model":"claude-opus-4-7"', '"max_tokens":2000', '"speed":"fast"', '"speed":"standard"'),
            raw('"model":"claude-haiku-5-5"', '"max_tokens":100', '"tools":[{"type":"web_search_20250305","name":"web_search"}]', '"tools":[]'),
            raw('"model":"claude-opus-5-5"', '"max_tokens":9000', '"inference_geo":"us"', '"inference_geo":"global"'),
          ],
          n,
        ),
    }),
  },
  {
    name: 'odd-caps',
    tries: 'caps that are texts, fractions, negative, endless, nothing or huge',
    run: repeatRequest(10, (n) => pickInTurn([CHAT_PATH, RESPONSES_PATH], n), {
      body: (n) => {
        const cap = pickInTurn(['"16"', '16.5', '-1', '1e400', 'null', '0', '1e9', '16.0', 'true', '[16]', '1E1', '0.0001e9'], n >> 1)
        return n % 2 ? `{${SOL_MEMBER},"input":"hello","max_output_tokens":${cap}}` : raw(SOL_MEMBER, `"max_completion_tokens":${cap}`)
      },
    }),
  },
  {
    name: 'gemini-odd-caps',
    tries: 'the same at Gemini, where texts of numbers are numbers and zero is no cap',
    run: repeatRequest(9, toGeminiPath('gemini-3.8-flash'), {
      body: (n) =>
        `{"contents":[{"role":"user","parts":[{"text":"hello"}]}],"generationConfig":{"maxOutputTokens":${pickInTurn(['"16"', '0', 'null', '"0"', '"60000"', '1e3', '60000.0', '60000,"candidateCount":"8"', '60000,"candidateCount":null,"candidate_count":8'], n)}}}`,
    }),
  },
  {
    name: 'escaped-keys',
    tries: 'names of members written with escapes',
    run: repeatRequest(10, (n) => pickInTurn([CHAT_PATH, CHAT_PATH, CHAT_PATH, toGeminiPath('gemini-3.8-flash')], n), {
      body: (n) =>
        pickInTurn(
          [
            raw('"mod\\u0065l":"gpt-6.2-sol"', '"max\\u005ftokens":100000', '"max_tokens":1'),
            raw('"model":"gpt-6\\u002e2-sol"', '"\\u006e":128', '"max_tokens":3000'),
            raw(SOL_MEMBER, '"service\\u005ftier":"priority"', '"max_tokens":9000'),
            '{"contents":[{"parts":[{"text":"hello"}]}],"generation\\u0043onfig":{"max\\u004futputTokens":60000},"generationConfig":{"maxOutputTokens":1}}',
          ],
          n,
        ),
    }),
  },
  {
    name: 'byte-order-mark',
    tries: 'a mark before the object, spaces, and something behind it',
    run: repeatRequest(6, CHAT_PATH, {
      body: (n) =>
        pickInTurn(
          [
            `\u{feff}${raw(SOL_MEMBER, '"max_tokens":9000')}`,
            `\n\t ${raw(SOL_MEMBER, '"max_tokens":9000')} \n`,
            `${raw(SOL_MEMBER, '"max_tokens":1')}{"max_tokens":9000}`,
            `[${raw(SOL_MEMBER)}]`,
          ],
          n,
        ),
    }),
  },
  {
    name: 'media-twice',
    tries: 'parts that are text and picture at once',
    run: repeatRequest(8, (n) => pickInTurn([CHAT_PATH, RESPONSES_PATH], n), {
      body: (n) =>
        pickInTurn(
          [
            {
              model: 'gpt-4o-mini',
              max_tokens: 16,
              messages: buildUserMessages([{ text: 'hello', type: 'image_url', image_url: { detail: 'high', url: 'https://example.com/a.png' } }]),
            },
            '{"model":"gpt-6-luna","max_output_tokens":16,"input":[{"role":"user","content":[{"type":"input_text","type":"input_file","text":"a","file_url":"https://example.com/a.pdf"}]}]}',
          ],
          n,
        ),
    }),
  },
  {
    name: 'content-types',
    tries: 'bodies that say they are something else',
    run: repeatRequest(6, CHAT_PATH, {
      body: () => raw(SOL_MEMBER, '"max_tokens":9000'),
      asking: (n) => ({
        headers: {
          'content-type': pickInTurn(
            ['text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a'],
            n,
          ),
          ...(n % 2 ? { 'content-encoding': 'identity' } : {}),
        },
      }),
    }),
  },
]
