//! Membrane of `memories`: what an agent keeps across turns.

use crate::contract::ApiError;
use crate::contract::memories::{Host, Memory, MemoryHit, MemoryUsage};
use crate::executor::run::Program;
use gg_common::operation::Operation;

impl Host for Program {
    fn write_memory(&mut self, memory: Memory) -> Result<MemoryUsage, ApiError> {
        self.call(Operation::MemoriesWriteMemory, &(memory,))
    }

    fn update_memory(&mut self, memory: Memory) -> Result<MemoryUsage, ApiError> {
        self.call(Operation::MemoriesUpdateMemory, &(memory,))
    }

    fn create_memory(&mut self, memory: Memory) -> Result<MemoryUsage, ApiError> {
        self.call(Operation::MemoriesCreateMemory, &(memory,))
    }

    fn read_memory(&mut self, name: String) -> Result<String, ApiError> {
        self.call(Operation::MemoriesReadMemory, &(name,))
    }

    fn edit_memory(&mut self, name: String, search: String, replace: String) -> Result<MemoryUsage, ApiError> {
        self.call(Operation::MemoriesEditMemory, &(name, search, replace))
    }

    fn search_memories(&mut self, keywords: Vec<String>) -> Result<Vec<MemoryHit>, ApiError> {
        self.call(Operation::MemoriesSearchMemories, &(keywords,))
    }

    fn delete_memory(&mut self, name: String) -> Result<MemoryUsage, ApiError> {
        self.call(Operation::MemoriesDeleteMemory, &(name,))
    }
}
