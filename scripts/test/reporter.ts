import { relative } from 'node:path'
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'
import type { RunEvent } from './record.ts'

/** Vitest's reporter of a run: it sends events to the process that started Vitest, which counts and prints. */
// oxlint-disable-next-line house/no-class, import/no-default-export -- Vitest takes a reporter as a class, by default
export default class RunReporter implements Reporter {
  onTestRunStart(specifications: readonly { readonly moduleId: string }[]): void {
    sendEvent({ kind: 'files', files: specifications.map(({ moduleId }) => toShortPath(moduleId)) })
  }
  onTestModuleCollected(module: TestModule): void {
    sendEvent({ kind: 'collected', file: toShortPath(module.moduleId), tests: [...module.children.allTests()].length })
  }
  onHookStart(hook: { readonly name: string; readonly entity: TestModule | TestCase | { readonly type: string } }): void {
    sendEvent({ kind: 'begun', at: formatHook(hook) })
  }
  onHookEnd(hook: { readonly name: string; readonly entity: TestModule | TestCase | { readonly type: string } }): void {
    sendEvent({ kind: 'hook-ended', at: formatHook(hook) })
  }
  onTestCaseReady(test: TestCase): void {
    sendEvent({ kind: 'begun', at: formatTest(test) })
  }
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result()
    if (state === 'pending') return
    sendEvent({
      kind: 'test',
      at: formatTest(test),
      state,
      ms: test.diagnostic()?.duration ?? 0,
      problems: (state === 'failed' && errors ? errors : []).map(formatError),
    })
  }
  onTestModuleEnd(module: TestModule): void {
    sendEvent({ kind: 'file', file: toShortPath(module.moduleId), ms: module.diagnostic().duration, problems: listErrors(module).map(formatError) })
  }
  onUserConsoleLog({ content, taskId }: { readonly content: string; readonly taskId?: string }): void {
    sendEvent({ kind: 'said', file: taskId ?? '', text: content.trimEnd() })
  }
  onTestRunEnd(_modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    sendEvent({ kind: 'ended', problems: unhandled.map(formatError) })
  }
}

const sendEvent = (event: RunEvent): void => void process.send?.(event)
const toShortPath = (file: string): string => relative(process.cwd(), file)
const formatTest = (test: TestCase): string => `${toShortPath(test.module.moduleId)} > ${test.fullName}`

/** Lists errors of the file itself (it could not be loaded) and of its groups (a hook failed): their tests did not run. */
function listErrors(module: TestModule): SerializedError[] {
  return [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
}

function formatHook({ name, entity }: { readonly name: string; readonly entity: object }): string {
  const place = 'fullName' in entity ? formatTest(entity as TestCase) : 'moduleId' in entity ? toShortPath((entity as TestModule).moduleId) : ''
  return `${place} (${name})`
}

/**
 * Formats the message, expected and actual values, stack lines of our own code, and the same for the cause: for a property-based test only
 * the cause names the error.
 */
function formatError(error: SerializedError): string {
  const own = String(error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && !/node_modules|node:internal/.test(line))
    .slice(0, 6)
  const cause = error.cause ? `caused by ${formatError(error.cause as SerializedError)}` : undefined
  return [`${error.name ?? 'Error'}: ${shortenText(error.message)}`, error['diff'] as string | undefined, ...own, cause].filter(Boolean).join('\n')
}

const shortenText = (text: string): string => (text.length <= 4000 ? text : `${text.slice(0, 3000)} […] ${text.slice(-800)}`)
