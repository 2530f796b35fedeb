/**
 * A mesh as a tool of agents of OpenAI Agents, LangChain, the AI SDK and Mastra, and these agents as librarians, each with a scripted
 * model: no key, no network. Checks its own result, and fails when it is wrong.
 *
 *     npm ci --prefix examples/agents/frameworks
 *     node --conditions=@constellation/source --import tsx examples/agents/frameworks/main.mjs
 */
import { equal, match } from "node:assert/strict";
import { asTool, fromAgent } from "@constellation/agents";
import { createRouter } from "@constellation/core";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { Agent, tool as openAITool, run, setTracingDisabled, Usage } from "@openai/agents-core";
import { stepCountIs, ToolLoopAgent } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { createAgent } from "langchain";

const mesh = createRouter();
mesh.register({
  id: "docs",
  description: "answers from runbooks",
  librarian: async (query) => ({ answer: `see the runbook for "${query}"` }),
});
const question = { query: "restart billing" };
const name = "ask_librarians";

/** OpenAI Agents: a model that calls the tool once, and then repeats what it gave. */
function openAIAgent() {
  setTracingDisabled(true);
  const model = {
    async getResponse({ input }) {
      const last = Array.isArray(input) ? input.at(-1) : undefined;
      const isDone = last?.type === "function_call_result";
      const text = isDone ? (last.output.text ?? String(last.output)) : "";
      return {
        usage: new Usage({ inputTokens: 50, outputTokens: 5, totalTokens: 55, requests: 1 }),
        output: isDone
          ? [
              {
                ...{ type: "message", role: "assistant", status: "completed" },
                content: [{ type: "output_text", text }],
              },
            ]
          : [
              {
                ...{ type: "function_call", callId: "call-1", name, status: "completed" },
                arguments: JSON.stringify(question),
              },
            ],
      };
    },
  };
  const agent = new Agent({ name: "operator", model, tools: [openAITool(asTool(mesh))] });
  return fromAgent(async (query, { signal }) => {
    const result = await run(agent, query, { signal });
    return { text: result.finalOutput, usage: result.state.usage };
  });
}

/** LangChain: the same with a chat model of its own. */
function langChainAgent() {
  class ScriptedModel extends BaseChatModel {
    _llmType() {
      return "scripted";
    }
    bindTools() {
      return this;
    }
    async _generate(messages) {
      const last = messages.at(-1);
      const isDone = last.getType() === "tool";
      const usage_metadata = { input_tokens: 50, output_tokens: 5, total_tokens: 55 };
      const message = isDone
        ? new AIMessage({ content: last.content, usage_metadata })
        : new AIMessage({
            ...{ content: "", usage_metadata },
            tool_calls: [{ id: "call-1", name, args: question }],
          });
      return { generations: [{ text: "", message }] };
    }
  }
  const tool = asTool(mesh);
  const tools = [langChainTool(tool.execute, tool)];
  const agent = createAgent({ model: new ScriptedModel({}), tools });
  return fromAgent(async (query, { signal }) => {
    const { messages } = await agent.invoke({ messages: query }, { signal });
    return { text: messages.at(-1).text, usage: messages };
  });
}

/** A model of the AI SDK's provider specification, which Mastra takes too. */
function scriptedModel() {
  const usage = {
    inputTokens: { total: 50, noCache: 50, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 },
  };
  const reply = ({ prompt }) => {
    const last = prompt.at(-1);
    const isDone = last.role === "tool";
    const call = { type: "tool-call", toolCallId: "call-1", toolName: name };
    return {
      content: isDone
        ? [{ type: "text", text: last.content[0].output.value }]
        : [{ ...call, input: JSON.stringify(question) }],
      finishReason: { unified: isDone ? "stop" : "tool-calls", raw: undefined },
      ...{ usage, warnings: [] },
    };
  };
  return new MockLanguageModelV4({
    doGenerate: async (options) => reply(options),
    async doStream(options) {
      const { content, finishReason } = reply(options);
      const parts = content.flatMap((part) =>
        part.type === "text"
          ? [
              { type: "text-start", id: "1" },
              { type: "text-delta", id: "1", delta: part.text },
              { type: "text-end", id: "1" },
            ]
          : [part],
      );
      const end = { type: "finish", finishReason, usage };
      return { stream: ReadableStream.from([...parts, end]) };
    },
  });
}

/** AI SDK. */
function aiSdkAgent() {
  const tools = { [name]: asTool(mesh) };
  const agent = new ToolLoopAgent({ model: scriptedModel(), tools, stopWhen: stepCountIs(3) });
  return fromAgent(async (query, { signal }) => {
    const { text, totalUsage } = await agent.generate({ prompt: query, abortSignal: signal });
    return { text, usage: totalUsage };
  });
}

/** Mastra. */
function mastraAgent() {
  const agent = new MastraAgent({
    ...{ id: "operator", name: "operator", instructions: "Answer.", model: scriptedModel() },
    tools: { [name]: createTool({ id: name, ...asTool(mesh) }) },
  });
  return fromAgent(async (query, { signal }) => {
    const { text, totalUsage } = await agent.generate(query, { abortSignal: signal });
    return { text, usage: totalUsage };
  });
}

const router = createRouter({ budget: { tokens: 5_000 } });
const agents = {
  "openai-agents": openAIAgent(),
  langchain: langChainAgent(),
  "ai-sdk": aiSdkAgent(),
  mastra: mastraAgent(),
};
for (const [id, librarian] of Object.entries(agents)) {
  router.register({ id, description: `an agent of ${id}`, librarian });
  const asked = router.start("How do I restart billing?", { to: id });
  const { answer, error } = await asked.response;
  const { usage } = asked.explain();
  const used = `${usage?.inputTokens} + ${usage?.outputTokens} tokens`;
  console.log(`${id}: ${answer ?? error?.message}, ${used}`);
  match(answer ?? "", /see the runbook for "restart billing"/);
  equal(usage?.inputTokens, 100);
  const spent = await router.ask("Again?", { to: id, budget: { tokens: 0 } });
  equal(spent.error?.details?.reason, "budget-exceeded");
}
await router.close();
await mesh.close();
