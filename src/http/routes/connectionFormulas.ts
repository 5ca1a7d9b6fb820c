import Type from 'typebox';
import { connectionFormulas } from '#domain/connection/formulas.ts';
import { presentFormula } from '#http/presenters/connection.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { ConnectionFormula } from '#http/schemas/connectionFormula.ts';

/** Source: reference of connection formulas, which names both paths. */
export const connectionFormulaRoutes = (): Route[] =>
  (['/orchestration/connection_formulas', '/orchestration/connection/formulas'] as const).map((path) =>
    defineRoute({
      method: 'GET',
      path,
      summary: 'List the connection formulas',
      description: 'What a connection to each payment provider needs, takes and can do.',
      tags: ['Connections'],
      permission: 'orchestration:connection_formulas',
      responses: { 200: Type.Array(ConnectionFormula) },
      handle: () => Promise.resolve({ status: 200, body: connectionFormulas.map(presentFormula) }),
    }),
  );
