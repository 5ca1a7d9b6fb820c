import Type from 'typebox';

/** What an invocation of a reactor left to be read. */
export const ReactorLog = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    trace_id: Type.String({ description: 'The `BT-TRACE-ID` of the answer, when it is a uuid.' }),
    started_at: Type.String({ format: 'date-time' }),
    milliseconds: Type.Integer({ description: 'How long the code ran, including the time to load it.' }),
    outcome: Type.String({
      description:
        'One of `returned`, `threw`, `does_not_compile`, `not_a_function`, `timed_out`, `out_of_memory`, `too_large`, `crashed`.',
      examples: ['returned', 'threw'],
    }),
    status: Type.Optional(Type.Integer({ description: 'The HTTP status of the answer.' })),
    lines: Type.Array(
      Type.Object({
        level: Type.String({ examples: ['debug', 'info', 'warn', 'error'] }),
        text: Type.String(),
      }),
      { description: 'What the code printed, and at last what it threw.' },
    ),
  },
  { $id: 'ReactorLog' },
);
