import type { ClientTarget } from './driver.ts'
import type { CommandLine, CommandLineRun, Workplace } from './tools.ts'
import { openWorkplace } from './tools.ts'

/** Jobs for a command-line client. Its tools really run; the sandbox plays the model (vendors/sandbox/player.ts). */
export const COMMAND_LINE_JOBS = ['job', 'parallel', 'goes-on', 'error'] as const
export type CommandLineJob = (typeof COMMAND_LINE_JOBS)[number]

export type JobOutcome = { readonly is: 'pass' } | { readonly is: 'fail'; readonly why: string }

/** Runs the jobs one after the other in one workplace. */
export async function runCommandLineJobs(
  tool: CommandLine,
  at: ClientTarget,
  tools: string,
  requests: () => Promise<number>,
): Promise<Readonly<Record<CommandLineJob, JobOutcome>>> {
  const place = openWorkplace(tool, at, tools)
  const { folder } = place
  place.write('numbers.txt', '3\n5\n9\n')
  place.write('more.txt', '25\n')
  const ask = async (steps: string, goesOn = false): Promise<CommandLineRun & { readonly asked: number }> => {
    const before = await requests()
    const ran = await place.run(`Do this job. [[play: ${steps}]]`, goesOn)
    return { ...ran, asked: (await requests()) - before }
  }
  try {
    const job = await ask(`read ${folder}/numbers.txt; write ${folder}/sum.txt $sum; run ls ${folder}; read ${folder}/sum.txt; say The sum is $sum.`)
    const both = await ask(`read ${folder}/numbers.txt & read ${folder}/more.txt; write ${folder}/both.txt $sum; say Both files were read.`)
    const more = await ask(`read ${folder}/both.txt; write ${folder}/again.txt $sum; say It was written again.`, true)
    const refused = await place.run('Hi [[sandbox:fault=bad-request]]')
    return {
      'job': checkRun(job, 'The sum is 17.', place, 'sum.txt', '17', job.asked >= 5),
      'parallel': checkRun(both, 'Both files were read.', place, 'both.txt', '42', both.asked >= 3),
      'goes-on': checkRun(more, 'It was written again.', place, 'again.txt', '42', more.asked >= 3),
      'error': refused.code !== 0 && /bad.request|invalid|400/i.test(refused.output) ? { is: 'pass' } : toFailure(refused, 'no error was shown'),
    }
  } finally {
    place.clear()
  }
}

/** The client's last words, the file that its tool wrote, and as many calls as the job has turns. */
function checkRun(ran: CommandLineRun, words: string, place: Workplace, file: string, content: string, isWhole: boolean): JobOutcome {
  if (ran.code !== 0) return toFailure(ran, `it ended with ${ran.code}`)
  if (!ran.output.includes(words)) return toFailure(ran, 'its last words are not the model’s')
  if (place.read(file)?.trim() !== content) return toFailure(ran, `${file} holds ${JSON.stringify(place.read(file))}`)
  return isWhole ? { is: 'pass' } : toFailure(ran, 'fewer calls than turns')
}

const toFailure = (ran: CommandLineRun, why: string): JobOutcome => ({ is: 'fail', why: `${why}: ${ran.output.slice(-400).replaceAll(/\s+/g, ' ')}` })
