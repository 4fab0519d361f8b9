import { CHAT, MESSAGES, RESPONSES, each, gemini, repeat, user } from './strategy.ts'
import type { Strategy } from './strategy.ts'

const MESSAGE = JSON.stringify(user())
const raw = (...members: readonly string[]): string => `{${[...members, `"messages":${MESSAGE}`].join(',')}}`
const SOL = '"model":"gpt-6.2-sol"'

/** Requests that one parser reads one way, and another another. */
export const BODIES: readonly Strategy[] = [
  {
    name: 'keys-twice',
    tries: 'members that stand there twice: the cap, the copies, the model, the stream',
    run: repeat(10, CHAT, (n) =>
      each(
        [
          raw(SOL, '"max_tokens":100000', '"max_tokens":1'),
          raw(SOL, '"max_completion_tokens":1', '"max_completion_tokens":100000'),
          raw('"model":"gpt-6-luna"', '"n":100', '"n":1', '"max_tokens":5000'),
          raw('"model":"gpt-6-luna"', '"n":null', '"n":100', '"max_tokens":5000'),
          raw('"model":"gpt-6-astra"', '"model":"gpt-6-luna"', '"max_tokens":9000'),
          raw(SOL, '"stream":true', '"stream":false', '"max_tokens":9000'),
          raw(SOL, '"service_tier":"priority"', '"service_tier":"default"', '"max_tokens":9000'),
          raw(SOL, '"max_tokens":1', '"max_completion_tokens":100000'),
        ],
        n,
      ),
    ),
  },
  {
    name: 'claude-twice',
    tries: 'the same at Claude: caps, speed, tools, the mark of the cache',
    run: repeat(8, MESSAGES, (n) =>
      each(
        [
          raw('"model":"claude-opus-5-5"', '"max_tokens":50000', '"max_tokens":1'),
          raw('"model":"claude-opus-4-7"', '"max_tokens":2000', '"speed":"fast"', '"speed":"standard"'),
          raw('"model":"claude-haiku-5-5"', '"max_tokens":100', '"tools":[{"type":"web_search_20250305","name":"web_search"}]', '"tools":[]'),
          raw('"model":"claude-opus-5-5"', '"max_tokens":9000', '"inference_geo":"us"', '"inference_geo":"global"'),
        ],
        n,
      ),
    ),
  },
  {
    name: 'odd-caps',
    tries: 'caps that are texts, fractions, negative, endless, nothing or huge',
    run: repeat(
      10,
      (n) => each([CHAT, RESPONSES], n),
      (n) => {
        const cap = each(['"16"', '16.5', '-1', '1e400', 'null', '0', '1e9', '16.0', 'true', '[16]', '1E1', '0.0001e9'], n >> 1)
        return n % 2 ? `{${SOL},"input":"hello","max_output_tokens":${cap}}` : raw(SOL, `"max_completion_tokens":${cap}`)
      },
    ),
  },
  {
    name: 'gemini-odd-caps',
    tries: 'the same at Gemini, where texts of numbers are numbers and zero is no cap',
    run: repeat(
      9,
      gemini('gemini-3.8-flash'),
      (n) =>
        `{"contents":[{"role":"user","parts":[{"text":"hello"}]}],"generationConfig":{"maxOutputTokens":${each(['"16"', '0', 'null', '"0"', '"60000"', '1e3', '60000.0', '60000,"candidateCount":"8"', '60000,"candidateCount":null,"candidate_count":8'], n)}}}`,
    ),
  },
  {
    name: 'escaped-keys',
    tries: 'names of members written with escapes',
    run: repeat(
      10,
      (n) => each([CHAT, CHAT, CHAT, gemini('gemini-3.8-flash')], n),
      (n) =>
        each(
          [
            raw('"mod\\u0065l":"gpt-6.2-sol"', '"max\\u005ftokens":100000', '"max_tokens":1'),
            raw('"model":"gpt-6\\u002e2-sol"', '"\\u006e":128', '"max_tokens":3000'),
            raw(SOL, '"service\\u005ftier":"priority"', '"max_tokens":9000'),
            '{"contents":[{"parts":[{"text":"hello"}]}],"generation\\u0043onfig":{"max\\u004futputTokens":60000},"generationConfig":{"maxOutputTokens":1}}',
          ],
          n,
        ),
    ),
  },
  {
    name: 'byte-order-mark',
    tries: 'a mark before the object, spaces, and something behind it',
    run: repeat(6, CHAT, (n) =>
      each(
        [
          `\u{feff}${raw(SOL, '"max_tokens":9000')}`,
          `\n\t ${raw(SOL, '"max_tokens":9000')} \n`,
          `${raw(SOL, '"max_tokens":1')}{"max_tokens":9000}`,
          `[${raw(SOL)}]`,
        ],
        n,
      ),
    ),
  },
  {
    name: 'media-twice',
    tries: 'parts that are text and picture at once',
    run: repeat(
      8,
      (n) => each([CHAT, RESPONSES], n),
      (n) =>
        each(
          [
            {
              model: 'gpt-4o-mini',
              max_tokens: 16,
              messages: user([{ text: 'hello', type: 'image_url', image_url: { detail: 'high', url: 'https://example.com/a.png' } }]),
            },
            '{"model":"gpt-6-luna","max_output_tokens":16,"input":[{"role":"user","content":[{"type":"input_text","type":"input_file","text":"a","file_url":"https://example.com/a.pdf"}]}]}',
          ],
          n,
        ),
    ),
  },
  {
    name: 'content-types',
    tries: 'bodies that say they are something else',
    run: repeat(
      6,
      CHAT,
      () => raw(SOL, '"max_tokens":9000'),
      (n) => ({
        headers: {
          'content-type': each(['text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a'], n),
          ...(n % 2 ? { 'content-encoding': 'identity' } : {}),
        },
      }),
    ),
  },
]
