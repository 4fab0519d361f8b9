import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import type { Event } from './events.ts'

/** Vitest's reporter of a run: it tells the process that started Vitest, which counts and prints. */
// oxlint-disable-next-line house/no-class, import/no-default-export -- Vitest takes a reporter as a class, by default
export default class Telling implements Reporter {
  onTestRunStart(specifications: readonly { readonly moduleId: string }[]): void {
    tell({ kind: 'files', files: specifications.map(({ moduleId }) => short(moduleId)) })
  }
  onTestModuleCollected(module: TestModule): void {
    tell({ kind: 'collected', file: short(module.moduleId), tests: [...module.children.allTests()].length })
  }
  onHookStart(hook: { readonly name: string; readonly entity: TestModule | TestCase | { readonly type: string } }): void {
    tell({ kind: 'begun', at: hookAt(hook) })
  }
  onHookEnd(hook: { readonly name: string; readonly entity: TestModule | TestCase | { readonly type: string } }): void {
    tell({ kind: 'hook-ended', at: hookAt(hook) })
  }
  onTestCaseReady(test: TestCase): void {
    tell({ kind: 'begun', at: at(test) })
  }
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'pending') return
    tell({ kind: 'test', at: at(test), state, ms: test.diagnostic()?.duration ?? 0, problems: (state === 'failed' && errors ? errors : []).map(lines) })
  }
  onTestModuleEnd(module: TestModule): void {
    tell({ kind: 'file', file: short(module.moduleId), ms: module.diagnostic().duration, problems: errorsOf(module).map(lines) })
  }
  onUserConsoleLog({ content, taskId }: { readonly content: string; readonly taskId?: string }): void {
    tell({ kind: 'said', file: taskId ?? '', text: content.trimEnd() })
  }
  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    tell({ kind: 'ended', problems: unhandled.map(lines) })
  }
}

const tell = (event: Event): void => void process.send?.(event)
const short = (file: string): string => relative(process.cwd(), file)
const at = (test: TestCase): string => `${short(test.module.moduleId)} > ${test.fullName}`

/** Of the file itself (it could not be loaded) and of its groups (a hook failed): their tests did not run. */
function errorsOf(module: TestModule): SerializedError[] {
  return [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
}

function hookAt({ name, entity }: { readonly name: string; readonly entity: object }): string {
  const place = 'fullName' in entity ? at(entity as TestCase) : 'moduleId' in entity ? short((entity as TestModule).moduleId) : ''
  return `${place} (${name})`
}

/** The message, what was expected and what came, the lines of our own code, and the same of what caused it: of a random history it alone says what was wrong. */
function lines(error: SerializedError): string {
  const own = String(error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/node_modules|node:internal/.test(line))
    .slice(0, 6)
  const cause = error.cause ? `caused by ${lines(error.cause as SerializedError)}` : undefined
  return [`${error.name ?? 'Error'}: ${shortened(error.message)}`, error['diff'] as string | undefined, ...own, cause].filter(Boolean).join('\n')
}

const shortened = (text: string): string => (text.length <= 4000 ? text : `${text.slice(0, 3000)} […] ${text.slice(-800)}`)
