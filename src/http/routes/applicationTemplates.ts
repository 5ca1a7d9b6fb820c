import Type from 'typebox';
import { applicationTemplates } from '#access/templates.ts';
import type { ApplicationTemplate } from '#access/templates.ts';
import { ApplicationType } from '#domain/application/events.ts';
import { defineRoute } from '#http/route.ts';
import type { Route } from '#http/route.ts';
import { AccessRule } from '#http/schemas/application.ts';
import { NotFound } from '#src/errors.ts';

const Template = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    description: Type.String(),
    application_type: ApplicationType,
    template_type: Type.String({ examples: ['starters', 'payments'] }),
    is_starter: Type.Boolean(),
    permissions: Type.Array(Type.String()),
    rules: Type.Array(AccessRule),
  },
  { $id: 'ApplicationTemplate' },
);

const tags = ['Applications'];

/** Source: reference of applications, templates. They belong to nobody: any key may ask. */
export const applicationTemplateRoutes = (): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/application-templates',
    summary: 'List templates of applications',
    tags,
    responses: { 200: Type.Array(Template) },
    handle: () => Promise.resolve({ status: 200, body: applicationTemplates.map(present) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/application-templates/:id',
    summary: 'Get a template of applications',
    tags,
    responses: { 200: Template },
    problems: [404],
    handle: ({ params }) => {
      const template = applicationTemplates.find(({ id }) => id === params.id.toLowerCase());
      if (template === undefined) throw new NotFound();
      return Promise.resolve({ status: 200, body: present(template) });
    },
  }),
];

const present = (template: ApplicationTemplate): object => ({
  id: template.id,
  name: template.name,
  description: template.description,
  application_type: template.applicationType,
  template_type: template.templateType,
  is_starter: template.isStarter,
  permissions: template.permissions,
  rules: template.rules,
});
