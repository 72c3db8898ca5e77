/** Reporter for Stryker that appends each result to a file as soon as it is known, so that a run that is cut off keeps them. */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import type { Reporter } from '@stryker-mutator/api/report';

class Results implements Reporter {
  onMutantTested({ fileName, location, status, mutatorName, replacement = '' }: MutantResult): void {
    const place = `${relative(process.cwd(), fileName)}:${location.start.line}:${location.start.column}`;
    appendFileSync(
      process.env.MUTANT_RESULTS ?? '',
      `${status} ${place} ${mutatorName} ${JSON.stringify(replacement)}\n`,
    );
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, 'results', Results)];
